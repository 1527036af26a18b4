// Generator: Torch7's numbers for Torch7's seeds, and its state as text.
#include "runtime/generator.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "runtime/errors.h"
#include "tests/support/check_throws.h"
#include "tests/support/golden.h"

namespace torchette {

using testing::goldenFloats;
using testing::goldenNumbers;

namespace {

/// The list `name` of each seed in rng.json, next to a generator of that seed.
template <class Check>
void forEachSeed(const std::string& name, Check check) {
  const auto golden = testing::loadGolden("rng.json");
  REQUIRE(golden.size() == 3);
  for (const auto& entry : golden) {
    const auto seed = entry.at("seed").get<std::uint32_t>();
    CAPTURE(seed);
    check(Generator(seed), entry.at(name));
  }
}

/// Whether `draw` yields, bit for bit, the doubles that Torch7 printed with 17 digits.
template <class Draw>
void checkDoubles(const std::string& name, Draw draw) {
  forEachSeed(name, [&](Generator generator, const nlohmann::json& list) {
    for (const double expected : goldenNumbers(list)) CHECK(draw(generator) == expected);
  });
}

/// The same for a float tensor that Torch7 filled; its draws are the scalar ones rounded to float.
template <class Draw>
void checkFloats(const std::string& name, Draw draw) {
  forEachSeed(name, [&](Generator generator, const nlohmann::json& list) {
    for (const float expected : goldenFloats(list)) {
      CHECK(static_cast<float>(draw(generator)) == expected);
    }
  });
}

}  // namespace

TEST_CASE("random gives the bits of Torch7") {
  checkDoubles("random", [](Generator& generator) { return generator.random(); });
}

TEST_CASE("uniform gives the doubles of Torch7") {
  checkDoubles("uniform", [](Generator& generator) { return generator.uniform(); });
}

TEST_CASE("uniform between bounds gives the doubles of Torch7") {
  checkDoubles("uniform_m2_3", [](Generator& generator) { return generator.uniform(-2, 3); });
}

TEST_CASE("normal gives the doubles of Torch7") {
  forEachSeed("normal", [](Generator generator, const nlohmann::json& list) {
    // The last bits of log, sin and cos are the C library's.
    for (const double expected : goldenNumbers(list)) {
      CHECK(generator.normal() == doctest::Approx(expected).epsilon(1e-14).scale(0));
    }
  });
}

TEST_CASE("bernoulli gives the choices of Torch7") {
  checkDoubles("bernoulli_03", [](Generator& generator) { return generator.bernoulli(0.3); });
}

TEST_CASE("permutation gives the order of Torch7 counted from 0") {
  forEachSeed("randperm_10", [](Generator generator, const nlohmann::json& list) {
    auto expected = list.get<std::vector<std::int64_t>>();
    for (auto& number : expected) --number;
    CHECK(generator.permutation(10) == expected);
  });
}

TEST_CASE("the uniform tensor of Torch7 is the scalar stream rounded to float") {
  checkFloats("tensor_uniform_10", [](Generator& generator) { return generator.uniform(); });
}

TEST_CASE("the bernoulli tensor of Torch7 is the scalar stream") {
  checkFloats("tensor_bernoulli_10",
              [](Generator& generator) { return generator.bernoulli(0.5) ? 1 : 0; });
}

TEST_CASE("the normal tensor of Torch7 is the scalar stream rounded to float") {
  checkFloats("tensor_normal_20", [](Generator& generator) { return generator.normal(); });
}

TEST_CASE("mean and standard deviation shift and stretch the normal stream") {
  Generator plain(3);
  Generator moved(3);
  for (int i = 0; i < 6; ++i) {
    CHECK(moved.normal(10, 0.5) == doctest::Approx(plain.normal() * 0.5 + 10).epsilon(1e-14));
  }
}

TEST_CASE("seeding again restarts the stream and drops the kept normal") {
  Generator generator(11);
  const double first = generator.normal();
  generator.manualSeed(11);
  CHECK(generator.normal() == first);
}

TEST_CASE("a bernoulli of probability 1 is always true") {
  Generator generator(5);
  for (int i = 0; i < 1000; ++i) REQUIRE(generator.bernoulli(1));
}

TEST_CASE("a permutation holds every number once") {
  auto numbers = Generator(2).permutation(1000);
  std::ranges::sort(numbers);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    REQUIRE(numbers[i] == static_cast<std::int64_t>(i));
  }
  CHECK(Generator(2).permutation(0).empty());
  CHECK(Generator(2).permutation(1) == std::vector<std::int64_t>{0});
}

TEST_CASE("restore continues the stream where the state was taken") {
  Generator generator(123);
  for (int i = 0; i < 1000; ++i) generator.random();
  const auto state = generator.state();
  const std::vector<std::uint32_t> next{generator.random(), generator.random(), generator.random()};
  Generator other(9);
  other.restore(state);
  CHECK(std::vector<std::uint32_t>{other.random(), other.random(), other.random()} == next);
}

TEST_CASE("restore brings back the pending second normal exactly") {
  Generator generator(123);
  generator.normal();
  const auto state = generator.state();
  const double second = generator.normal();
  const double third = generator.normal();
  Generator other(9);
  other.restore(state);
  CHECK(other.normal() == second);
  CHECK(other.normal() == third);
}

TEST_CASE("a restored generator has the state it was given") {
  Generator generator(123);
  generator.normal();
  Generator other(9);
  other.restore(generator.state());
  CHECK(other.state() == generator.state());
}

TEST_CASE("a text that is no state is refused and changes nothing") {
  Generator generator(7);
  const auto before = generator.state();
  for (const auto& text : {std::string(), std::string("no state"), before.substr(0, 200)}) {
    CAPTURE(text);
    testing::checkThrows<ArgumentError>([&] { generator.restore(text); }, {"random generator"});
  }
  CHECK(generator.state() == before);
}

}  // namespace torchette
