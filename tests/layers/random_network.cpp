// Layer by layer: each is drawn so that it fits the extents that the one before leaves.
#include "tests/layers/random_network.h"

#include "layers/window_geometry.h"
#include "runtime/generator.h"

namespace torchette::testing {

namespace {

class NetworkBuilder {
 public:
  explicit NetworkBuilder(std::uint32_t seed) : generator_(seed) {
    planes_ = draw(1, 3);
    height_ = draw(4, 9);
    width_ = draw(4, 9);
  }

  RandomNetwork build() {
    const Shape sample{planes_, height_, width_};
    for (std::int64_t layers = draw(1, 6); layers > 0; --layers) addSpatialLayer();
    const auto elements = planes_ * height_ * width_;
    const auto classes = draw(2, 5);
    add("View(" + listOf({elements}) + "):setNumInputDims(3)");
    add("Linear(" + listOf({elements, classes}) + (flip() ? ",false)" : ")"));
    if (flip()) add("Dropout(0.25,false," + boolean() + ")");
    add("LogSoftMax()");
    return {text_, sample};
  }

 private:
  using AddLayer = void (NetworkBuilder::*)();

  std::int64_t draw(std::int64_t from, std::int64_t to) {
    return from + generator_.random() % (to - from + 1);
  }
  bool flip() { return draw(0, 1) == 1; }
  std::string boolean() { return flip() ? "true" : "false"; }

  static std::string listOf(const std::vector<std::int64_t>& numbers) {
    std::string list;
    for (const auto number : numbers) list += (list.empty() ? "" : ",") + std::to_string(number);
    return list;
  }

  void add(const std::string& layer) { text_ += (text_.empty() ? "nn." : "; nn.") + layer; }

  void addSpatialLayer() {
    constexpr AddLayer kinds[] = {&NetworkBuilder::addConvolution,
                                  &NetworkBuilder::addFullConvolution,
                                  &NetworkBuilder::addMaxPooling,
                                  &NetworkBuilder::addAveragePooling,
                                  &NetworkBuilder::addBatchNormalization,
                                  &NetworkBuilder::addActivation,
                                  &NetworkBuilder::addDropout,
                                  &NetworkBuilder::addBranches};
    (this->*kinds[draw(0, std::ssize(kinds) - 1)])();
  }

  /// A window that has at least one position in the image, padded by at most half a kernel.
  Window drawWindow() {
    Window window;
    window.kW = draw(1, std::min<std::int64_t>(3, width_));
    window.kH = draw(1, std::min<std::int64_t>(3, height_));
    window.dW = draw(1, 2);
    window.dH = draw(1, 2);
    window.padW = draw(0, window.kW / 2);
    window.padH = draw(0, window.kH / 2);
    return window;
  }

  static std::string numbersOf(const Window& window) {
    return listOf({window.kW, window.kH, window.dW, window.dH, window.padW, window.padH});
  }

  void addConvolution() {
    const auto window = drawWindow();
    const auto results = draw(1, 4);
    add("SpatialConvolution(" + listOf({planes_, results}) + "," + numbersOf(window) + ")" +
        (flip() ? "" : ":noBias()"));
    planes_ = results;
    height_ = nn::windowPositions(height_, window.kH, window.dH, window.padH);
    width_ = nn::windowPositions(width_, window.kW, window.dW, window.padW);
  }

  /// Does nothing where the image is large already, or would have no pixel left.
  void addFullConvolution() {
    const auto window = drawWindow();
    const auto results = draw(1, 4), adjW = draw(0, window.dW - 1), adjH = draw(0, window.dH - 1);
    const auto height = nn::windowSpan(height_, window.kH, window.dH, window.padH, adjH);
    const auto width = nn::windowSpan(width_, window.kW, window.dW, window.padW, adjW);
    if (height < 1 || width < 1 || height > 16 || width > 16) return;
    add("SpatialFullConvolution(" + listOf({planes_, results}) + "," + numbersOf(window) + "," +
        listOf({adjW, adjH}) + ")" + (flip() ? "" : ":noBias()"));
    planes_ = results;
    height_ = height;
    width_ = width;
  }

  void addMaxPooling() { addPooling("SpatialMaxPooling("); }
  void addAveragePooling() { addPooling("SpatialAveragePooling("); }

  void addPooling(const std::string& type) {
    const auto window = drawWindow();
    const bool isCeil = flip();
    add(type + numbersOf(window) + ")" + (isCeil ? ":ceil()" : ""));
    const auto positions = isCeil ? nn::windowPositionsCeil : nn::windowPositions;
    height_ = positions(height_, window.kH, window.dH, window.padH);
    width_ = positions(width_, window.kW, window.dW, window.padW);
  }

  void addBatchNormalization() {
    add("SpatialBatchNormalization(" + listOf({planes_}) + ",0.001,0.1," + boolean() + ")");
  }

  void addActivation() {
    const std::string kinds[] = {"ReLU(" + boolean() + ")", "LeakyReLU(0.1," + boolean() + ")",
                                 "Tanh()", "Sigmoid()"};
    add(kinds[draw(0, std::ssize(kinds) - 1)]);
  }

  void addDropout() { add("Dropout(0.5," + boolean() + "," + boolean() + ")"); }

  /// A convolution and what it left out, added up.
  void addBranches() {
    add("ConcatTable():add(nn.Identity()):add(nn.SpatialConvolution(" +
        listOf({planes_, planes_, 3, 3, 1, 1, 1, 1}) + "))");
    add("CAddTable(" + boolean() + ")");
  }

  Generator generator_;
  std::int64_t planes_ = 0, height_ = 0, width_ = 0;
  std::string text_;
};

}  // namespace

RandomNetwork randomNetwork(std::uint32_t seed) { return NetworkBuilder(seed).build(); }

}  // namespace torchette::testing
