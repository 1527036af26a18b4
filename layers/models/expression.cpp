#include "layers/models/expression.h"

#include <cctype>
#include <charconv>
#include <string>

#include "layers/models/module_factory.h"
#include "layers/sequential.h"
#include "runtime/errors.h"

namespace torchette::nn {

namespace {

/// Recursive descent over the text; position_ moves forward only.
class ExpressionReader {
 public:
  ExpressionReader(std::string_view text, const Context& context)
      : text_(text), context_(context) {}

  std::unique_ptr<Module> read() {
    if (isSingle()) return readSingle();
    auto network = build<Sequential>("net", context_);
    const OwnerScope scope(network->path());
    do {
      if (isAtEnd()) break;
      network->adopt(readModule(std::to_string(network->size() + 1)));
    } while (accepts(';'));
    requireEnd();
    return network;
  }

 private:
  /// Whether the text holds one module, perhaps followed by a lone semicolon.
  bool isSingle() const {
    const auto semicolon = text_.find(';');
    return semicolon == std::string_view::npos ||
           text_.find_first_not_of(" \t\r\n", semicolon + 1) == std::string_view::npos;
  }

  std::unique_ptr<Module> readSingle() {
    auto module = readModule("net");
    accepts(';');
    requireEnd();
    return module;
  }

  /// nn.Name(arguments):method(arguments)...
  std::unique_ptr<Module> readModule(const std::string& name) {
    const OwnerScope scope(OwnerScope::pathOf(name));
    const auto type = readName();
    const auto start = position_;
    std::unique_ptr<Module> module;
    try {
      module = makeModule(type, context_, readArguments(type));
      while (accepts(':')) readMethod(*module);
    } catch (const Error& error) {
      if (hasPlace_) throw;
      hasPlace_ = true;
      throw ArgumentError("character " + std::to_string(start - type.size() + 1) + " of '" +
                              std::string(text_) + "'",
                          error.what());
    }
    return module;
  }

  void readMethod(Module& module) {
    const auto method = readName();
    auto* container = dynamic_cast<Container*>(&module);
    if (method == "add") {
      if (container == nullptr) throw ArgumentError("", module.type() + " has no method add");
      expect('(');
      container->adopt(readModule(std::to_string(container->size() + 1)));
      expect(')');
    } else {
      callMethod(module, method, readArguments(method));
    }
  }

  ConstructorArguments readArguments(const std::string& call) {
    std::vector<LuaValue> values;
    expect('(');
    if (!accepts(')')) {
      do values.push_back(readValue());
      while (accepts(','));
      expect(')');
    }
    return {call, std::move(values)};
  }

  LuaValue readValue() {
    skipSpace();
    if (position_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[position_]))) {
      const auto word = readName();
      if (word == "nil") return std::monostate();
      if (word == "true" || word == "false") return word == "true";
      refuse("a number, true, false or nil", word);
    }
    double number = 0;
    const auto* begin = text_.data() + position_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), number);
    if (error != std::errc()) refuse("a value", rest());
    position_ += static_cast<std::size_t>(end - begin);
    return number;
  }

  /// Letters, digits, underscores and points.
  std::string readName() {
    skipSpace();
    const auto start = position_;
    const auto isNamePart = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '.'; };
    while (position_ < text_.size() && isNamePart(static_cast<unsigned char>(text_[position_]))) {
      ++position_;
    }
    if (position_ == start) refuse("a name such as nn.Linear", rest());
    return std::string(text_.substr(start, position_ - start));
  }

  bool accepts(char character) {
    skipSpace();
    if (position_ >= text_.size() || text_[position_] != character) return false;
    ++position_;
    return true;
  }

  void expect(char character) {
    if (!accepts(character)) refuse(std::string("'") + character + "'", rest());
  }

  bool isAtEnd() {
    skipSpace();
    return position_ == text_.size();
  }

  void requireEnd() {
    if (!isAtEnd()) refuse("the end or ';'", rest());
  }

  void skipSpace() {
    while (position_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[position_]))) {
      ++position_;
    }
  }

  std::string rest() const {
    return position_ == text_.size() ? "the end" : std::string(text_.substr(position_));
  }

  [[noreturn]] void refuse(const std::string& expected, const std::string& found) const {
    throw ArgumentError("", "expected " + expected + ", found " + found);
  }

  std::string_view text_;
  const Context& context_;
  std::size_t position_ = 0;
  bool hasPlace_ = false;
};

}  // namespace

std::unique_ptr<Module> moduleFromExpression(std::string_view text, const Context& context) {
  return ExpressionReader(text, context).read();
}

}  // namespace torchette::nn
