// A small report with every kind of sharing, written by hand.
#include "tests/examples/cli/sample_report.h"

namespace torchette::testing {

using nn::FieldInspection;
using nn::Role;

namespace {

FieldInspection field(const std::string& name, Role role, const Shape& shape, std::int64_t storage,
                      std::int64_t storageBytes, std::int64_t heldBytes) {
  return {name,    role,         shape,    DType::float32, 4 * shape.elements(),
          storage, storageBytes, heldBytes};
}

nn::Inspection sampleInspection() {
  nn::Inspection inspection;
  inspection.modules = {{"net",
                         "nn.Sequential",
                         "nn.Sequential {\n}",
                         true,
                         {field("output", Role::activation, {10, 10}, 1, 400, 0)}},
                        {"net/conv",
                         "nn.SpatialConvolution",
                         "nn.SpatialConvolution(1 -> 1, 5x5)",
                         false,
                         {field("output", Role::activation, {10, 10}, 1, 400, 400),
                          field("weight", Role::parameter, {5, 5}, 2, 120, 100),
                          field("bias", Role::parameter, {5}, 2, 120, 20)}},
                        {"net/relu",
                         "nn.ReLU",
                         "nn.ReLU",
                         false,
                         {field("output", Role::activation, {10, 10}, 1, 400, 0),
                          field("gradInput", Role::gradient, Shape(), 0, 0, 0),
                          field("indices", Role::buffer, {10}, 3, 64, 64)}}};
  inspection.totals = {
      1360, 584, 0, 120, {{"output", 400}, {"weight", 100}, {"bias", 20}, {"indices", 64}}};
  return inspection;
}

}  // namespace

cli::MemoryReport sampleReport() {
  cli::MemoryReport report;
  report.run = {.model = "sample",
                .backend = "cpu",
                .workspace = "batch",
                .mode = "training",
                .input = {2, 5}};
  report.inspection = sampleInspection();
  report.liveBytes = 624;
  report.peakBytes = 1000;
  report.peakHoldings = {{"net/conv", "output", 800}, {"", "scratch", 200}};
  report.timeline = {{LedgerEvent::Kind::made, "build", "net/conv", "output", 1000, 1000},
                     {LedgerEvent::Kind::freed, "forward", "net/conv", "output", 400, 600},
                     {LedgerEvent::Kind::grown, "backward", "net/relu", "indices", 400, 1000},
                     {LedgerEvent::Kind::freed, "backward", "net/relu", "indices", 376, 624}};
  report.process = cli::ProcessMemory{{3000, 100}, {3500, 1500}, 624};
  return report;
}

}  // namespace torchette::testing
