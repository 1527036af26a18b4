// Batches of a dataset.
#include "examples/data/batches.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "runtime/errors.h"
#include "tests/support/check_throws.h"
#include "tests/support/test_memory.h"

namespace torchette::data {

using testing::hostAllocator;

namespace {

/// Image i has the label i and two pixels of value 10 i and 10 i + 1.
Dataset numberedImages(int count) {
  Dataset dataset{count, 1, 1, 2, {}, {}};
  for (int i = 0; i < count; ++i) {
    dataset.pixels.push_back(static_cast<std::uint8_t>(10 * i));
    dataset.pixels.push_back(static_cast<std::uint8_t>(10 * i + 1));
    dataset.labels.push_back(static_cast<std::uint8_t>(i));
  }
  return dataset;
}

/// The labels of all batches in order.
std::vector<std::int64_t> allLabels(Batches& batches) {
  std::vector<std::int64_t> labels;
  for (std::int64_t batch = 0; batch < batches.count(); ++batch) {
    batches.load(batch);
    std::ranges::copy(batches.labels().values<std::int64_t>(), std::back_inserter(labels));
  }
  return labels;
}

}  // namespace

TEST_CASE("pixels become numbers from 0 to 1") {
  const Dataset dataset{1, 1, 2, 2, {0, 255, 51, 1}, {3}};
  Batches batches(dataset, hostAllocator(), 4);
  batches.load(0);
  CHECK(batches.images().shape() == Shape{1, 1, 2, 2});
  CHECK(batches.images().values<float>() == std::vector<float>{0, 1, 51 / 255.0f, 1 / 255.0f});
}

TEST_CASE("batches come as stored and the last holds what is left") {
  const auto dataset = numberedImages(7);
  Batches batches(dataset, hostAllocator(), 3);
  REQUIRE(batches.count() == 3);
  CHECK(allLabels(batches) == std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6});
  batches.load(2);
  CHECK(batches.images().shape() == Shape{1, 1, 1, 2});
  CHECK(batches.images().values<float>() == std::vector<float>{60 / 255.0f, 61 / 255.0f});
  CHECK(batches.hostLabels() == std::vector<std::int64_t>{6});
}

TEST_CASE("a shuffled epoch shows every image once with its own label") {
  const auto dataset = numberedImages(25);
  Batches batches(dataset, hostAllocator(), 4);
  Generator generator(1);
  batches.shuffle(generator);
  std::vector<std::int64_t> labels;
  for (std::int64_t batch = 0; batch < batches.count(); ++batch) {
    batches.load(batch);
    const auto pixels = batches.images().values<float>();
    for (std::size_t i = 0; i < batches.hostLabels().size(); ++i) {
      labels.push_back(batches.hostLabels()[i]);
      CHECK(pixels[2 * i] == static_cast<float>(10 * labels.back()) / 255);
    }
  }
  CHECK(labels == Generator(1).permutation(25));
}

TEST_CASE("each shuffle gives another order") {
  const auto dataset = numberedImages(25);
  Batches batches(dataset, hostAllocator(), 4);
  Generator generator(1);
  batches.shuffle(generator);
  const auto first = allLabels(batches);
  batches.shuffle(generator);
  CHECK(allLabels(batches) != first);
}

TEST_CASE("the bytes of batches belong to data and are allocated once") {
  const auto dataset = numberedImages(25);
  Batches batches(dataset, hostAllocator(), 4);
  allLabels(batches);
  const std::vector<Holding> expected{{"data", "images", 4 * 2 * 4}, {"data", "labels", 4 * 8}};
  CHECK(testing::ledger()->liveHoldings() == expected);
  testing::ledger()->startRecordingEvents();
  const auto events = testing::ledger()->events().size();
  allLabels(batches);
  CHECK(testing::ledger()->events().size() == events);
}

TEST_CASE("a batch holds at least one image") {
  const auto dataset = numberedImages(1);
  testing::checkThrows<ArgumentError>([&] { Batches(dataset, hostAllocator(), 0); },
                                      {"at least 1", "got 0"});
}

}  // namespace torchette::data
