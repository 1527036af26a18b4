// Networks from expressions: what is read, and what is refused in which words.
#include <doctest/doctest.h>

#include "layers/models/model.h"
#include "runtime/errors.h"
#include "tests/layers/layer_support.h"
#include "tests/support/check_throws.h"

namespace torchette::testing {

namespace {

void checkRefused(const std::string& expression, const std::vector<std::string>& words) {
  CAPTURE(expression);
  checkThrows<ArgumentError>([&] { moduleOn(cpuBackend(), expression); }, words);
}

std::string printed(const std::string& expression) {
  return moduleOn(cpuBackend(), expression)->description();
}

Shape outputShape(const std::string& expression, const Shape& input) {
  const auto backend = cpuBackend();
  return moduleOn(backend, expression)->forward(randomTensor(*backend, input, 1)).tensor().shape();
}

}  // namespace

TEST_CASE("one module stands alone and several form a Sequential") {
  CHECK(moduleOn(cpuBackend(), "nn.Tanh()")->type() == "nn.Tanh");
  CHECK(moduleOn(cpuBackend(), "nn.Tanh();")->type() == "nn.Tanh");
  const auto network = moduleOn(cpuBackend(), "nn.Tanh(); nn.Sigmoid();");
  CHECK(network->type() == "nn.Sequential");
  CHECK(network->children().size() == 2);
}

TEST_CASE("semicolons and add build the same network") {
  CHECK(printed("nn.Linear(2,3); nn.Tanh(); nn.Linear(3,1)") ==
        printed("nn.Sequential():add(nn.Linear(2,3)):add(nn.Tanh()):add(nn.Linear(3,1))"));
}

TEST_CASE("spaces and line ends may stand between all parts") {
  CHECK(printed(" nn.Linear ( 2 ,\n 3 ) : noBias ( ) ;\tnn.Tanh()\n") ==
        printed("nn.Linear(2,3):noBias();nn.Tanh()"));
}

TEST_CASE("arguments are numbers and booleans and nil") {
  CHECK(printed("nn.Dropout(3e-1)") == "nn.Dropout(0.300000)");
  CHECK(printed("nn.LeakyReLU(-0.5)") == "nn.LeakyReLU(-0.5)");
  CHECK(printed("nn.Dropout(nil,true)") == "nn.Dropout(0.500000)");
  CHECK(printed("nn.Linear(2,3,true)") == "nn.Linear(2 -> 3)");
  CHECK(printed("nn.SpatialConvolution(1,2,3,3,nil,nil,1)") ==
        "nn.SpatialConvolution(1 -> 2, 3x3, 1,1, 1,1)");
}

TEST_CASE("methods change the module they are called on") {
  CHECK(outputShape("nn.SpatialMaxPooling(2,2):ceil()", {1, 5, 5}) == Shape{1, 3, 3});
  CHECK(outputShape("nn.SpatialMaxPooling(2,2):ceil():floor()", {1, 5, 5}) == Shape{1, 2, 2});
  CHECK(outputShape("nn.SpatialAveragePooling(2,2,2,2):ceil()", {1, 5, 5}) == Shape{1, 3, 3});
  CHECK(outputShape("nn.View(12):setNumInputDims(2)", {1, 3, 4}) == Shape{1, 12});
  CHECK(outputShape("nn.Reshape(3,4,false)", {12, 1}) == Shape{3, 4});
  CHECK(outputShape("nn.Reshape(3,4,true)", {1, 12}) == Shape{1, 3, 4});
  CHECK(moduleOn(cpuBackend(), "nn.Linear(2,3):noBias()")->parameters().values.size() == 1);
}

TEST_CASE("padding counts in an average or not as the method says") {
  const auto backend = cpuBackend();
  const auto ones = tensor(*backend, {1, 2, 2}, {1, 1, 1, 1});
  const std::string pooling = "nn.SpatialAveragePooling(2,2,2,2,1,1)";
  const auto first = [&](const std::string& expression) {
    return valuesOf(moduleOn(backend, expression)->forward(ones))[0];
  };
  CHECK(first(pooling) == 0.25F);
  CHECK(first(pooling + ":setCountExcludePad()") == 1.0F);
  CHECK(first(pooling + ":setCountExcludePad():setCountIncludePad()") == 0.25F);
}

TEST_CASE("an unknown module type is refused with the list of known ones") {
  checkRefused("nn.Linaer(2,3)", {"nn.Linaer", "not supported", "nn.Linear", "nn.View"});
  checkRefused("nn.Tanh(); nn.Gelu()", {"character 12", "nn.Gelu"});
}

TEST_CASE("an unknown method is refused with the type it was called on") {
  checkRefused("nn.Tanh():noBias()", {"nn.Tanh", "no method noBias"});
  checkRefused("nn.Linear(2,3):ceil()", {"nn.Linear", "no method ceil"});
  checkRefused("nn.SpatialMaxPooling(2,2):setCountExcludePad()", {"nn.SpatialMaxPooling"});
  checkRefused("nn.Tanh():add(nn.Tanh())", {"nn.Tanh", "no method add"});
  checkRefused("nn.Tanh():explode()", {"no method explode"});
}

TEST_CASE("arguments of the wrong kind or number are refused") {
  checkRefused("nn.Linear(2)", {"nn.Linear", "argument 2", "integer"});
  checkRefused("nn.Linear(2,3.5)", {"nn.Linear", "argument 2", "integer"});
  checkRefused("nn.Linear(2,true)", {"argument 2", "integer"});
  checkRefused("nn.Linear(2,3,4)", {"argument 3", "true or false"});
  checkRefused("nn.Linear(2,3,true,4)", {"at most 3 arguments", "got 4"});
  checkRefused("nn.Dropout(true)", {"argument 1", "a number"});
  checkRefused("nn.Tanh(1)", {"at most 0 arguments", "got 1"});
  checkRefused("nn.View()", {"nn.View", "argument 1", "integer"});
  checkRefused("nn.Linear(1e300,2)", {"argument 1", "integer"});
  checkRefused("nn.Linear(x,2)", {"number, true, false or nil", "found x"});
  checkRefused("nn.SpatialMaxPooling(2,2):ceil(1)", {"at most 0 arguments"});
}

TEST_CASE("the complaint of a constructor tells where the module stands") {
  checkRefused("nn.Tanh(); nn.SpatialConvolution(3,4,0,3)",
               {"character 12", "net/2", "kW is 0", "at least 1"});
}

TEST_CASE("text that is no expression is refused with what was expected") {
  checkRefused("", {"expected a name", "the end"});
  checkRefused("nn.Tanh", {"expected '('", "the end"});
  checkRefused("nn.Tanh(", {"the end"});
  checkRefused("nn.Linear(2,3", {"expected ')'", "the end"});
  checkRefused("nn.Linear(2 3)", {"expected ')'", "found 3)"});
  checkRefused("nn.Tanh() nn.Tanh()", {"the end or ';'", "found nn.Tanh()"});
  checkRefused("nn.Tanh(); nn.Tanh() foo", {"the end or ';'", "found foo"});
  checkRefused("nn.Tanh(); ; nn.Tanh()", {"expected a name"});
  checkRefused("nn.Sequential():add(nn.Tanh()", {"expected ')'", "the end"});
  checkRefused("nn.Tanh():", {"expected a name", "the end"});
}

TEST_CASE("a refused expression leaves no bytes behind") {
  const auto before = ledger()->liveBytes();
  checkRefused("nn.Linear(100,100); nn.Linear(100,0)", {"outputSize is 0"});
  CHECK(ledger()->liveBytes() == before);
}

TEST_CASE("makeModel accepts names and expressions and nothing else") {
  const auto context = contextOn(cpuBackend());
  CHECK(nn::makeModel("lenet", context).network->path() == "net");
  const auto model = nn::makeModel("nn.Linear(4,2)", context);
  CHECK(model.name == "nn.Linear(4,2)");
  CHECK_FALSE(model.objective.has_value());
  CHECK_FALSE(model.sampleShape.has_value());
  checkThrows<ArgumentError>([&] { nn::makeModel("lenett", context); },
                             {"'lenett'", "lenet", "autoencoder", "nn.Linear(4,2)"});
}

}  // namespace torchette::testing
