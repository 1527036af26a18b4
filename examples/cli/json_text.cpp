// Writing JSON so that people can read it too.
#include "examples/cli/json_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace torchette::cli {

namespace {

using Json = nlohmann::ordered_json;

bool isScalarOrFlat(const Json& value) {
  return std::ranges::none_of(value, [](const Json& member) { return member.is_structured(); });
}

bool fitsOneLine(const Json& value) {
  return value.empty() || !value.is_structured() ||
         std::ranges::all_of(value, [](const Json& member) {
           return !member.is_structured() || (member.is_array() && isScalarOrFlat(member));
         });
}

/// On one line; text that is not UTF-8 is made so.
std::string compact(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string render(const Json& value, const std::string& indentation) {
  if (fitsOneLine(value)) return compact(value);
  const auto inner = indentation + "  ";
  std::string text;
  for (const auto& [key, member] : value.items()) {
    text += (text.empty() ? "" : ",") + ("\n" + inner);
    if (value.is_object()) text += compact(key) + ": ";
    text += render(member, inner);
  }
  const auto* brackets = value.is_object() ? "{}" : "[]";
  return brackets[0] + text + "\n" + indentation + brackets[1];
}

}  // namespace

std::string jsonText(const Json& document) { return render(document, "") + "\n"; }

}  // namespace torchette::cli
