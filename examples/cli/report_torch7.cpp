// The report as Torch7 prints the fields of a module.
#include <fmt/format.h>

#include "examples/cli/report_format.h"

namespace torchette::cli {

namespace {

/// What Torch7 calls a tensor: by its elements, and by whether a GPU, simulated or not, holds them.
std::string tensorType(DType dtype, const std::string& backend) {
  if (backend == "cpu") return dtype == DType::float32 ? "FloatTensor" : "LongTensor";
  return dtype == DType::float32 ? "CudaTensor" : "CudaLongTensor";
}

std::string tensorText(const nn::FieldInspection& field, const std::string& backend) {
  const auto type = tensorType(field.dtype, backend);
  if (field.shape.rank() == 0) return fmt::format("{} - empty", type);
  return fmt::format("{} - size: {}", type, field.shape.toString());
}

/// The description of a layer; of a container only the type, as its modules follow.
std::string headline(const nn::ModuleInspection& module) {
  return module.path + ": " + (module.isContainer ? module.type : module.description);
}

}  // namespace

std::string renderTorch7(const MemoryReport& report) {
  std::string text;
  for (const auto& module : report.inspection.modules) {
    text += headline(module) + "\n{\n";
    for (const auto& field : module.fields) {
      text += fmt::format("  {} : {}\n", field.field, tensorText(field, report.run.backend));
    }
    text += "}\n";
  }
  return text + "\n" + renderTotals(report);
}

}  // namespace torchette::cli
