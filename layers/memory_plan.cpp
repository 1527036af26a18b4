#include "layers/memory_plan.h"

#include <map>
#include <set>
#include <utility>

#include "runtime/errors.h"

namespace torchette::nn {

namespace {

/// Owner and field of an allocation.
using Name = std::pair<std::string, std::string>;

bool isIntermediate(Role role) {
  return role == Role::activation || role == Role::workspace || role == Role::buffer;
}

void requireUnshared(Module& network) {
  network.forEachModule([](const Module& module) {
    if (module.isTraining()) {
      throw StateError(
          module.path(),
          "a memory plan is for inference: backward needs tensors that it would reuse; "
          "put the network in evaluate mode first, or save memory in training with the workspace "
          "strategy sample");
    }
    if (module.memorySharing() != MemorySharing::off) {
      throw StateError(module.path(), "the network's memory is shared already; undo that first");
    }
  });
}

std::set<std::int64_t> storagesOf(const Activity& activity) {
  std::set<std::int64_t> numbers;
  activity.forEachTensor(
      [&numbers](const Tensor& tensor) { numbers.insert(tensor.storage()->number()); });
  return numbers;
}

/// The intermediate allocations of a network by name, without those that its output looks at.
std::set<Name> plannableNames(Module& recorded) {
  const auto held = storagesOf(recorded.output);
  std::set<Name> names;
  std::set<Name> outputs;
  recorded.forEachModule([&](Module& module) {
    module.visitTensors([&](std::string_view field, Role role, Tensor& tensor) {
      if (!isIntermediate(role)) return;
      const bool isHeld = held.contains(tensor.storage()->number());
      (isHeld ? outputs : names).insert({module.path(), std::string(field)});
    });
  });
  // A module whose output became a view of another's has no allocation of that name; the name is
  // harmless.
  for (const auto& output : outputs) names.erase(output);
  return names;
}

}  // namespace

ArenaPlan planInference(Module& recorded, const std::vector<StorageLifetime>& lifetimes) {
  const auto names = plannableNames(recorded);
  std::vector<StorageLifetime> planned;
  for (const auto& lifetime : lifetimes) {
    if (names.contains({lifetime.owner, lifetime.field})) planned.push_back(lifetime);
  }
  auto plan = planArena(planned);
  requireDisjoint(plan);
  return plan;
}

void applyMemoryPlan(Module& network, const ArenaPlan& plan) {
  requireUnshared(network);
  const OwnerScope scope(network.path());
  const auto arena = network.makeTensor("arena").storage();
  arena->grow((plan.arenaBytes + 3) / 4, Shape{(plan.arenaBytes + 3) / 4});
  std::map<Name, const ArenaPlan::Region*> regions;
  for (const auto& region : plan.regions) {
    regions[{region.lifetime.owner, region.lifetime.field}] = &region;
  }
  network.forEachModule([&](Module& module) {
    module.setMemorySharing(MemorySharing::plan);
    module.forgetForward();
    module.visitTensors([&](std::string_view field, Role role, Tensor& tensor) {
      if (!isIntermediate(role) && role != Role::gradient) return;
      const auto found = regions.find({module.path(), std::string(field)});
      if (found == regions.end()) {
        tensor = module.makeTensor(std::string(field), tensor.dtype());
        return;
      }
      const auto& [lifetime, offsetBytes] = *found->second;
      tensor = Tensor(std::make_shared<Storage>(arena, offsetBytes, lifetime.bytes, tensor.dtype(),
                                                std::string(field)));
    });
  });
}

void removeMemoryPlan(Module& network) {
  network.forEachModule([](Module& module) {
    if (module.memorySharing() == MemorySharing::plan) module.clearState();
  });
}

}  // namespace torchette::nn
