// What RecordingBackend says that an operation reads and writes is what the cpu backend touches.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <string>

#include "backends/dry/recording_backend.h"
#include "tests/backends/operation_log.h"
#include "tests/support/test_backend.h"

namespace torchette::testing {

namespace {

using Word = std::uint32_t;
constexpr std::int64_t wordBytes = sizeof(Word);

/// Memory for the operands of one operation, with room between them. Holds floats in [0.1, 0.9)
/// everywhere but in operands of integers.
class Arena {
 public:
  Arena() : words_(capacity) {
    Generator generator(1);
    auto* values = reinterpret_cast<float*>(words_.data());
    std::generate_n(values, capacity,
                    [&] { return static_cast<float>(generator.uniform(0.1, 0.9)); });
  }

  float* floats(std::int64_t count) { return reinterpret_cast<float*>(take(count)); }

  std::int64_t* integers(const std::vector<std::int64_t>& values) {
    auto* result = reinterpret_cast<std::int64_t*>(take(2 * std::ssize(values)));
    std::ranges::copy(values, result);
    integersBegin_ = result;
    integersEnd_ = result + values.size();
    return result;
  }
  std::int64_t* integers(std::int64_t count) {
    return integers(std::vector<std::int64_t>(static_cast<std::size_t>(count), -7));
  }

  std::vector<Word>& words() { return words_; }
  bool holdsIntegersAt(const void* address) const {
    return address >= integersBegin_ && address < integersEnd_;
  }

  /// Whether each word lies in one of the ranges.
  std::vector<bool> coveredBy(const std::vector<Access>& ranges) const {
    std::vector<bool> covered(words_.size());
    for (const auto& range : ranges) {
      const auto begin = indexOf(range.address);
      std::fill_n(covered.begin() + begin, range.bytes / wordBytes, true);
    }
    return covered;
  }
  std::int64_t indexOf(const void* address) const {
    return static_cast<const Word*>(address) - words_.data();
  }

 private:
  static constexpr std::int64_t capacity = 4096;
  static constexpr std::int64_t room = 16;

  Word* take(std::int64_t words) {
    next_ += room;
    Word* result = words_.data() + next_;
    next_ += (words + room - 1) / room * room;
    REQUIRE(next_ + room <= capacity);
    return result;
  }

  std::vector<Word> words_;
  std::int64_t next_ = 0;
  const void* integersBegin_ = nullptr;
  const void* integersEnd_ = nullptr;
};

/// Runs one operation on operands in an arena; gives what it returns, or 0.
using Run = std::function<double(Backend& backend)>;
/// Places the operands.
using Place = std::function<Run(Arena& arena)>;

/// A run of an operation that returns nothing.
template <class Call>
Run run(Call call) {
  return [call](Backend& backend) {
    call(backend);
    return 0.0;
  };
}

/// Runs an operation on an arena whose content can be put back and changed.
class Trial {
 public:
  explicit Trial(const Place& place) : run_(place(arena_)), initial_(arena_.words()) {
    RecordingBackend recording(cpu_, log_);
    result_ = run_(recording);
    final_ = arena_.words();
    REQUIRE(log_->operations.size() == 1);
    writes_ = arena_.coveredBy(operation().writes);
  }

  const Operation& operation() const { return log_->operations.front(); }

  void checkWrites() {
    for (std::size_t i = 0; i < initial_.size(); ++i) {
      if (!writes_[i] && final_[i] != initial_[i]) FAIL("word " << i << " has changed");
    }
    for (const auto& write : operation().writes) {
      CHECK(hasChanged(arena_.indexOf(write.address)));
      CHECK(hasChanged(arena_.indexOf(write.address) + write.bytes / wordBytes -
                       elementWords(write)));
    }
  }

  /// What is not read may hold anything.
  void checkNothingElseIsRead() {
    const auto reads = arena_.coveredBy(operation().reads);
    arena_.words() = initial_;
    for (std::size_t i = 0; i < reads.size(); ++i) {
      if (!reads[i]) arena_.words()[i] = 0xFFFFFFFF;
    }
    CHECK(hasSameOutcome());
  }

  /// The first and last element of all that is read have an effect.
  void checkReadsAreUsed() {
    for (const auto& read : operation().reads) {
      const auto begin = arena_.indexOf(read.address);
      const auto last = begin + read.bytes / wordBytes - elementWords(read);
      CHECK(hasEffect(begin));
      CHECK(hasEffect(last));
    }
  }

  /// Without an inner backend, the same is recorded and nothing happens.
  void checkDry() {
    const auto log = std::make_shared<OperationLog>();
    RecordingBackend dry(hostAllocator(), "cpu", 2, log);
    arena_.words() = initial_;
    CHECK(run_(dry) == 0);
    CHECK(arena_.words() == initial_);
    REQUIRE(log->operations.size() == 1);
    CHECK(textOf(log->operations.front()) == textOf(operation()));
  }

 private:
  std::int64_t elementWords(const Access& access) const {
    return arena_.holdsIntegersAt(access.address) ? 2 : 1;
  }

  bool hasChanged(std::int64_t word) const { return final_[word] != initial_[word]; }

  /// Runs on what the arena holds now: whether all that changed at first changes to the same.
  bool hasSameOutcome() {
    const double result = run_(*cpu_);
    for (std::size_t i = 0; i < initial_.size(); ++i) {
      if (final_[i] != initial_[i] && arena_.words()[i] != final_[i]) return false;
    }
    return result == result_;
  }

  bool hasEffect(std::int64_t word) {
    if (arena_.holdsIntegersAt(arena_.words().data() + word)) {
      return !hasSameOutcomeWith(word, initial_[word] ^ 1U);
    }
    return !hasSameOutcomeWith(word, std::bit_cast<Word>(100.0F)) ||
           !hasSameOutcomeWith(word, std::bit_cast<Word>(-100.0F));
  }

  bool hasSameOutcomeWith(std::int64_t word, Word value) {
    arena_.words() = initial_;
    arena_.words()[word] = value;
    return hasSameOutcome();
  }

  std::shared_ptr<Backend> cpu_ = cpuBackend();
  std::shared_ptr<OperationLog> log_ = std::make_shared<OperationLog>();
  Arena arena_;
  Run run_;
  std::vector<Word> initial_, final_;
  std::vector<bool> writes_;
  double result_ = 0;
};

void checkAccesses(const char* name, const Place& place) {
  CAPTURE(name);
  Trial trial(place);
  CHECK(trial.operation().name == name);
  trial.checkWrites();
  trial.checkNothingElseIsRead();
  trial.checkReadsAreUsed();
  trial.checkDry();
}

/// Row-major op(A) m x k, op(B) k x n, with 2 elements to spare in each row.
Place product(bool transposeA, bool transposeB, std::int64_t k, float beta) {
  return [=](Arena& arena) {
    constexpr std::int64_t m = 3, n = 5, spare = 2;
    const std::int64_t lda = (transposeA ? m : k) + spare, ldb = (transposeB ? k : n) + spare;
    const Gemm gemm{.transposeA = transposeA,
                    .transposeB = transposeB,
                    .m = m,
                    .n = n,
                    .k = k,
                    .alpha = 2,
                    .a = arena.floats((transposeA ? k : m) * lda),
                    .lda = lda,
                    .b = arena.floats((transposeB ? n : k) * ldb),
                    .ldb = ldb,
                    .beta = beta,
                    .c = arena.floats(m * (n + spare)),
                    .ldc = n + spare};
    return run([=](Backend& backend) { backend.gemm(gemm); });
  };
}

constexpr PlanesGeometry planes{.samples = 2, .planes = 3, .pixels = 5};
constexpr std::int64_t planeElements = 30;
/// 2 planes of 4 x 5, 3 x 3 windows that overlap.
constexpr PoolingGeometry pooling{2, 4, 5, {3, 3, 1, 1, 0, 0}, 2, 3};
constexpr std::int64_t pooled = 12, unpooled = 40;
constexpr ColumnsGeometry columns{2, 4, 5, {3, 2, 1, 1, 1, 0}, 3, 5};
constexpr SoftMaxGeometry softMax{.outer = 2, .classes = 3, .inner = 4};
constexpr std::int64_t scores = 24;

Place normBackward(bool batchStatistics, bool hasGradInput, bool hasParameters,
                   bool hasWeight = true) {
  return [=](Arena& arena) {
    const auto perPlane = [&](bool exists) { return exists ? arena.floats(3) : nullptr; };
    const BatchNormBackward backward{
        .forward = {planes, arena.floats(3), arena.floats(3), perPlane(hasWeight), arena.floats(3)},
        .batchStatistics = batchStatistics,
        .input = arena.floats(planeElements),
        .gradOutput = arena.floats(planeElements),
        .gradInput = hasGradInput ? arena.floats(planeElements) : nullptr,
        .gradWeight = perPlane(hasParameters),
        .gradBias = perPlane(hasParameters),
        .scale = 2};
    return run([=](Backend& backend) { backend.batchNormBackward(backward); });
  };
}

ClassNll classNll(Arena& arena, bool isWeighted) {
  return {.samples = 3,
          .classes = 4,
          .targets = arena.integers({0, 2, 3}),
          .weights = isWeighted ? arena.floats(4) : nullptr};
}

PairLoss pairLoss(Arena& arena, PairLoss::Kind kind, bool isWeighted) {
  return {.kind = kind,
          .elements = 12,
          .weights = isWeighted ? arena.floats(4) : nullptr,
          .rowElements = isWeighted ? 4 : 1};
}

Place sgd(const SgdStep& step) {
  return [step](Arena& arena) {
    auto* parameters = arena.floats(9);
    auto* gradient = arena.floats(9);
    auto* velocity = step.momentum == 0 ? nullptr : arena.floats(9);
    return run([=](Backend& backend) { backend.sgdStep(step, parameters, gradient, velocity); });
  };
}

}  // namespace

TEST_CASE("recorded ranges of element operations are those that the cpu touches") {
  checkAccesses("fill", [](Arena& arena) {
    auto* y = arena.floats(7);
    return run([=](Backend& backend) { backend.fill(7, 3, y); });
  });
  checkAccesses("fillUniform", [](Arena& arena) {
    auto* y = arena.floats(7);
    return run([=](Backend& backend) {
      Generator generator(5);
      backend.fillUniform(7, generator, 2, 3, y);
    });
  });
  checkAccesses("fillBernoulli", [](Arena& arena) {
    auto* y = arena.floats(7);
    return run([=](Backend& backend) {
      Generator generator(5);
      backend.fillBernoulli(7, generator, 0.5, 2, y);
    });
  });
  for (const bool isInPlace : {false, true}) {
    CAPTURE(isInPlace);
    checkAccesses("scale", [=](Arena& arena) {
      const auto* x = arena.floats(7);
      auto* y = isInPlace ? const_cast<float*>(x) : arena.floats(7);
      return run([=](Backend& backend) { backend.scale(7, 3, x, y); });
    });
    checkAccesses("multiply", [=](Arena& arena) {
      auto* a = arena.floats(7);
      auto* b = arena.floats(7);
      auto* y = isInPlace ? b : arena.floats(7);
      return run([=](Backend& backend) { backend.multiply(7, a, b, y); });
    });
  }
  checkAccesses("addScaled", [](Arena& arena) {
    auto* x = arena.floats(7);
    auto* y = arena.floats(7);
    return run([=](Backend& backend) { backend.addScaled(7, 3, x, y); });
  });
}

TEST_CASE("recorded ranges of products are those that the cpu touches") {
  for (const bool transposeA : {false, true}) {
    for (const bool transposeB : {false, true}) {
      for (const float beta : {0.0F, 1.0F, 2.0F}) {
        CAPTURE(transposeA);
        CAPTURE(transposeB);
        CAPTURE(beta);
        checkAccesses("gemm", product(transposeA, transposeB, 4, beta));
      }
    }
  }
  checkAccesses("gemm", product(false, false, 0, 2));
  checkAccesses("gemm", product(true, false, 0, 0));
}

TEST_CASE("recorded ranges of columns and biases are those that the cpu touches") {
  checkAccesses("im2col", [](Arena& arena) {
    auto* image = arena.floats(columns.imageElements());
    auto* result = arena.floats(columns.rows() * columns.pixels());
    return run([=](Backend& backend) { backend.im2col(columns, image, result); });
  });
  checkAccesses("col2im", [](Arena& arena) {
    // Without padding, so that the first and last element of the columns have a place in the image.
    constexpr ColumnsGeometry inside{2, 4, 5, {3, 2, 1, 1, 0, 0}, 3, 3};
    auto* source = arena.floats(inside.rows() * inside.pixels());
    auto* image = arena.floats(inside.imageElements());
    return run([=](Backend& backend) { backend.col2im(inside, source, image); });
  });
  checkAccesses("fillBias", [](Arena& arena) {
    auto* bias = arena.floats(3);
    auto* y = arena.floats(planeElements);
    return run([=](Backend& backend) { backend.fillBias(planes, bias, y); });
  });
  checkAccesses("accumulateBias", [](Arena& arena) {
    auto* gradOutput = arena.floats(planeElements);
    auto* gradBias = arena.floats(3);
    return run([=](Backend& backend) { backend.accumulateBias(planes, 2, gradOutput, gradBias); });
  });
}

TEST_CASE("recorded ranges of non-linearities are those that the cpu touches") {
  for (const auto kind : {Activation::Kind::threshold, Activation::Kind::leakyRelu,
                          Activation::Kind::tanh, Activation::Kind::sigmoid}) {
    for (const bool isInPlace : {false, true}) {
      CAPTURE(static_cast<int>(kind));
      CAPTURE(isInPlace);
      const Activation activation{kind, 0.25F};
      checkAccesses("activate", [=](Arena& arena) {
        auto* x = arena.floats(7);
        auto* y = isInPlace ? x : arena.floats(7);
        // What is positive already would stay as it is in place.
        if (isInPlace) std::fill_n(x, 7, -0.5F);
        return run([=](Backend& backend) { backend.activate(activation, 7, x, y); });
      });
      // In place, relu either leaves a gradient as it is or does not depend on it.
      if (isInPlace && kind == Activation::Kind::threshold) continue;
      checkAccesses("activateBackward", [=](Arena& arena) {
        auto* reference = arena.floats(7);
        auto* gradOutput = arena.floats(7);
        auto* gradInput = isInPlace ? gradOutput : arena.floats(7);
        if (isInPlace) std::fill_n(reference, 7, -0.5F);
        return run([=](Backend& backend) {
          backend.activateBackward(activation, 7, reference, gradOutput, gradInput);
        });
      });
    }
  }
}

TEST_CASE("recorded ranges of pooling are those that the cpu touches") {
  checkAccesses("maxPool", [](Arena& arena) {
    auto* input = arena.floats(unpooled);
    auto* output = arena.floats(pooled);
    auto* indices = arena.integers(pooled);
    return run([=](Backend& backend) { backend.maxPool(pooling, input, output, indices); });
  });
  checkAccesses("maxPoolBackward", [](Arena& arena) {
    auto* gradOutput = arena.floats(pooled);
    auto* indices = arena.integers({0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 18});
    auto* gradInput = arena.floats(unpooled);
    return run([=](Backend& backend) {
      backend.maxPoolBackward(pooling, gradOutput, indices, gradInput);
    });
  });
  checkAccesses("averagePool", [](Arena& arena) {
    auto* input = arena.floats(unpooled);
    auto* output = arena.floats(pooled);
    return run([=](Backend& backend) { backend.averagePool({pooling}, input, output); });
  });
  checkAccesses("averagePoolBackward", [](Arena& arena) {
    auto* gradOutput = arena.floats(pooled);
    auto* gradInput = arena.floats(unpooled);
    return run(
        [=](Backend& backend) { backend.averagePoolBackward({pooling}, gradOutput, gradInput); });
  });
}

TEST_CASE("recorded ranges of softmaxes are those that the cpu touches") {
  checkAccesses("softMax", [](Arena& arena) {
    auto* input = arena.floats(scores);
    auto* output = arena.floats(scores);
    return run([=](Backend& backend) { backend.softMax(softMax, input, output); });
  });
  checkAccesses("logSoftMax", [](Arena& arena) {
    auto* input = arena.floats(scores);
    auto* output = arena.floats(scores);
    return run([=](Backend& backend) { backend.logSoftMax(softMax, input, output); });
  });
  checkAccesses("softMaxBackward", [](Arena& arena) {
    auto* output = arena.floats(scores);
    auto* gradOutput = arena.floats(scores);
    auto* gradInput = arena.floats(scores);
    return run(
        [=](Backend& backend) { backend.softMaxBackward(softMax, output, gradOutput, gradInput); });
  });
  checkAccesses("logSoftMaxBackward", [](Arena& arena) {
    auto* output = arena.floats(scores);
    auto* gradOutput = arena.floats(scores);
    auto* gradInput = arena.floats(scores);
    return run([=](Backend& backend) {
      backend.logSoftMaxBackward(softMax, output, gradOutput, gradInput);
    });
  });
}

TEST_CASE("recorded ranges of batch normalisation are those that the cpu touches") {
  checkAccesses("batchNormStatistics", [](Arena& arena) {
    auto* input = arena.floats(planeElements);
    auto* mean = arena.floats(3);
    auto* inverseStd = arena.floats(3);
    return run([=](Backend& backend) {
      backend.batchNormStatistics(planes, 0.1F, input, mean, inverseStd);
    });
  });
  checkAccesses("inverseStandardDeviation", [](Arena& arena) {
    auto* variance = arena.floats(3);
    auto* inverseStd = arena.floats(3);
    return run(
        [=](Backend& backend) { backend.inverseStandardDeviation(3, 0.1F, variance, inverseStd); });
  });
  checkAccesses("updateRunningStatistics", [](Arena& arena) {
    const RunningStatistics statistics{
        planes, 0.1F, 0.1F, arena.floats(3), arena.floats(3), arena.floats(3), arena.floats(3)};
    return run([=](Backend& backend) { backend.updateRunningStatistics(statistics); });
  });
  for (const bool isAffine : {true, false}) {
    CAPTURE(isAffine);
    checkAccesses("batchNorm", [=](Arena& arena) {
      const BatchNorm norm{planes, arena.floats(3), arena.floats(3),
                           isAffine ? arena.floats(3) : nullptr,
                           isAffine ? arena.floats(3) : nullptr};
      auto* input = arena.floats(planeElements);
      auto* output = arena.floats(planeElements);
      return run([=](Backend& backend) { backend.batchNorm(norm, input, output); });
    });
  }
}

TEST_CASE("recorded ranges of the batch normalisation gradient are those that the cpu touches") {
  for (const bool batchStatistics : {true, false}) {
    CAPTURE(batchStatistics);
    checkAccesses("batchNormBackward", normBackward(batchStatistics, true, false));
    checkAccesses("batchNormBackward", normBackward(batchStatistics, false, true));
    checkAccesses("batchNormBackward", normBackward(batchStatistics, true, true));
    checkAccesses("batchNormBackward", normBackward(batchStatistics, true, false, false));
  }
}

TEST_CASE("recorded ranges of losses are those that the cpu touches") {
  for (const bool isWeighted : {true, false}) {
    CAPTURE(isWeighted);
    checkAccesses("classNll", [=](Arena& arena) -> Run {
      const auto loss = classNll(arena, isWeighted);
      auto* input = arena.floats(12);
      return [=](Backend& backend) { return backend.classNll(loss, input).sum; };
    });
    checkAccesses("classNllBackward", [=](Arena& arena) {
      const auto loss = classNll(arena, isWeighted);
      auto* gradInput = arena.floats(12);
      return run([=](Backend& backend) { backend.classNllBackward(loss, 2, gradInput); });
    });
    const auto kind = isWeighted ? PairLoss::Kind::binaryCrossEntropy : PairLoss::Kind::meanSquared;
    checkAccesses("pairLoss", [=](Arena& arena) -> Run {
      const auto loss = pairLoss(arena, kind, isWeighted);
      auto* input = arena.floats(12);
      auto* target = arena.floats(12);
      return [=](Backend& backend) { return backend.pairLoss(loss, input, target); };
    });
    checkAccesses("pairLossBackward", [=](Arena& arena) {
      const auto loss = pairLoss(arena, kind, isWeighted);
      auto* input = arena.floats(12);
      auto* target = arena.floats(12);
      auto* gradInput = arena.floats(12);
      return run(
          [=](Backend& backend) { backend.pairLossBackward(loss, 2, input, target, gradInput); });
    });
  }
}

TEST_CASE("recorded ranges of optimizer steps are those that the cpu touches") {
  checkAccesses("sgdStep", sgd({.elements = 9, .learningRate = 2}));
  checkAccesses("sgdStep", sgd({.elements = 9, .learningRate = 2, .weightDecay = 1}));
  for (const bool isFirst : {true, false}) {
    for (const bool nesterov : {true, false}) {
      CAPTURE(isFirst);
      CAPTURE(nesterov);
      checkAccesses("sgdStep", sgd({.elements = 9,
                                    .learningRate = 2,
                                    .momentum = 0.5F,
                                    .nesterov = nesterov,
                                    .isFirst = isFirst}));
    }
  }
  for (const float weightDecay : {0.0F, 1.0F}) {
    CAPTURE(weightDecay);
    const AdamStep step{9, 2, 0.5F, 0.5F, 0.1F, weightDecay};
    checkAccesses("adamStep", [step](Arena& arena) {
      auto* parameters = arena.floats(9);
      auto* gradient = arena.floats(9);
      auto* mean = arena.floats(9);
      auto* meanSquare = arena.floats(9);
      return run([=](Backend& backend) {
        backend.adamStep(step, parameters, gradient, mean, meanSquare);
      });
    });
  }
}

TEST_CASE("an operation on nothing has no accesses") {
  const auto log = std::make_shared<OperationLog>();
  RecordingBackend backend(hostAllocator(), "cpu", 1, log);
  float value = 0;
  backend.scale(0, 1, &value, &value);
  backend.gemm({.m = 0,
                .n = 3,
                .k = 2,
                .a = &value,
                .lda = 2,
                .b = &value,
                .ldb = 3,
                .beta = 1,
                .c = &value,
                .ldc = 3});
  REQUIRE(log->operations.size() == 2);
  CHECK(textOf(log->operations[0]) == textOf({"scale", {}, {}}));
  CHECK(textOf(log->operations[1]) == textOf({"gemm", {}, {}}));
}

}  // namespace torchette::testing
