// How JSON documents are laid out.
#include "examples/cli/json_text.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace torchette::cli {

using Json = nlohmann::ordered_json;

TEST_CASE("flat records stand on one line each") {
  const auto document = Json::parse(R"({"name":"x","rows":[{"shape":[1,2],"n":3},{"n":4}]})");
  CHECK(jsonText(document) ==
        "{\n"
        "  \"name\": \"x\",\n"
        "  \"rows\": [\n"
        "    {\"shape\":[1,2],\"n\":3},\n"
        "    {\"n\":4}\n"
        "  ]\n"
        "}\n");
}

TEST_CASE("a document survives being written and read") {
  const auto document = Json::parse(
      R"({"empty":{},"none":[],"deep":[[[1,2],[3]],[]],"text":"a \"quote\"","no":null,"x":1e-9})");
  CHECK(Json::parse(jsonText(document)) == document);
}

TEST_CASE("bytes that are no text still make a valid document") {
  CHECK(Json::accept(jsonText(Json{{"model", "\xff"}})));
}

}  // namespace torchette::cli
