#include "layers/workspace_sharing.h"

#include <map>
#include <tuple>

#include "layers/convolution.h"
#include "runtime/errors.h"

namespace torchette::nn {

namespace {

/// What a workspace holds: only workspaces with equal keys may share.
using ContentKey = std::tuple<std::string, std::string, WorkspaceStrategy>;

void requireEvaluating(Module& network) {
  network.forEachModule([](Module& module) {
    if (module.isTraining()) {
      throw StateError(
          module.path(),
          "workspaces cannot be shared in training mode: the weight gradient would read "
          "columns that another layer has overwritten; put the network in evaluate mode first, or "
          "save memory in training with the workspace strategy sample");
    }
    if (module.memorySharing() != MemorySharing::off) {
      throw StateError(module.path(), "the network's memory is shared already; undo that first");
    }
  });
}

}  // namespace

void shareWorkspaces(Module& network, const WorkspaceSharingOptions& options) {
  if (options.isGuarded) requireEvaluating(network);
  std::map<ContentKey, std::shared_ptr<Storage>> pools;
  network.forEachModule([&](Module& module) {
    module.setMemorySharing(MemorySharing::workspace, options.isGuarded);
    module.forgetForward();
    const auto* convolution = dynamic_cast<Convolution*>(&module);
    if (convolution == nullptr) return;
    module.visitTensors([&](std::string_view field, Role role, Tensor& tensor) {
      if (role != Role::workspace || !options.fields.contains(field)) return;
      auto& pool = pools[{module.type(), std::string(field), convolution->workspaceStrategy()}];
      if (!pool) pool = module.makeTensor(std::string(field)).storage();
      tensor = Tensor(pool);
    });
  });
}

void unshareWorkspaces(Module& network) {
  network.forEachModule([](Module& module) {
    if (module.memorySharing() != MemorySharing::workspace) return;
    module.setMemorySharing(MemorySharing::off);
    module.forgetForward();
    module.visitTensors([&](std::string_view field, Role role, Tensor& tensor) {
      if (role == Role::workspace) tensor = module.makeTensor(std::string(field));
    });
  });
}

}  // namespace torchette::nn
