// Module: a differentiable function with parameters, as in Torch7's nn.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "layers/activity.h"
#include "layers/context.h"
#include "layers/workspace_strategy.h"
#include "runtime/owner_scope.h"

namespace torchette::nn {

/// What a tensor of a module is for.
enum class Role {
  activation,         ///< output
  gradient,           ///< gradInput
  parameter,          ///< weight, bias
  parameterGradient,  ///< gradWeight, gradBias; follow their parameters in the same order
  workspace,          ///< finput, fgradInput
  buffer,             ///< other scratch that clearState() drops: indices, noise, save_mean, ...
  state,              ///< outlives clearState() and belongs into a saved model: running_mean, ...
};

/// Whether tensors of different layers use the same bytes one after the other. Only in evaluation.
enum class MemorySharing {
  off,
  workspace,  ///< convolutions share their workspaces (workspace_sharing.h)
  plan,       ///< all intermediate tensors lie in one arena (memory_plan.h)
};

using TensorVisitor = std::function<void(std::string_view field, Role role, Tensor& tensor)>;

/// Parameters and their gradients, pairwise in Torch7's parameters() order.
struct Parameters {
  std::vector<Tensor*> values;
  std::vector<Tensor*> gradients;
};

/// One vector that all parameters are views of, and one for the gradients.
struct FlatParameters {
  Tensor parameters;
  Tensor gradParameters;
};

struct ArenaPlan;
class BackendMove;
struct WorkspaceSharingOptions;

class Module {
 public:
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  virtual ~Module() = default;

  /// "net/conv1": the owner scope the module was built in. Bytes it allocates are attributed to it.
  const std::string& path() const { return path_; }
  /// Torch7's class name, e.g. "nn.SpatialConvolution".
  virtual std::string type() const = 0;
  /// What Torch7 prints for the module; several lines for a container.
  virtual std::string description() const { return type(); }

  /// Results of the last forward and backward; reused by the next.
  Activity output;
  Activity gradInput;

  /// Computes and returns output. Non-contiguous inputs are copied first. If it throws, parameters,
  /// gradients, running statistics and the random stream are as before, and a backward needs a new
  /// forward.
  const Activity& forward(const Activity& input);
  /// Computes and returns gradInput and adds `scale` times the parameter gradients to theirs.
  /// `input` must be the one of the last forward, `gradOutput` must have the shape of output:
  /// StateError, ShapeError otherwise. If it throws, parameters and gradients are as before.
  const Activity& backward(const Activity& input, const Activity& gradOutput, float scale = 1);

  /// Switch this module and all below; a backward then needs a new forward. Modules start in
  /// training mode. training() throws StateError while memory is shared.
  void training() { setTraining(true); }
  void evaluate() { setTraining(false); }
  bool isTraining() const { return isTraining_; }

  MemorySharing memorySharing() const { return memorySharing_; }

  /// For this module and all below; layers without columns ignore it. Clears their workspaces; a
  /// backward then needs a new forward.
  void setWorkspaceStrategy(WorkspaceStrategy strategy);

  /// Frees everything but parameters, their gradients and state, here and below. Shared workspaces
  /// stay shared; a memory plan is removed.
  void clearState();

  /// Moves this module and all below to another backend: parameters, gradients and state are copied
  /// through the host, everything else is cleared; a backward then needs a new forward. Vectors of
  /// an earlier getParameters() stay behind: call it again. Layers left to their backend's default
  /// workspace strategy take the new one's. Throws StateError while memory is shared. If it throws,
  /// the network is as before.
  void to(const std::shared_ptr<Backend>& backend);
  /// The same as part of a larger move.
  void joinMove(BackendMove& move);

  /// Of this module and all below. The pointers live as long as the modules.
  Parameters parameters();
  void zeroGradParameters();
  /// Moves all parameters and gradients into two flat vectors, of which they become views. A later
  /// call makes new vectors; the old ones are then detached from the modules.
  FlatParameters getParameters();

  /// Names each tensor of this module, not of those below, once.
  virtual void visitTensors(const TensorVisitor& visit);
  /// The modules directly below, in order.
  virtual std::vector<Module*> children() const { return {}; }
  /// Calls visit for this module, then for all below, depth first.
  void forEachModule(const std::function<void(Module&)>& visit);

 protected:
  explicit Module(Context context);

  const Context& context() const { return context_; }
  Backend& backend() const { return *context_.backend; }
  /// An empty tensor of this module.
  Tensor makeTensor(std::string field, DType dtype = DType::float32) const;
  /// Fills a tensor of this module with uniform numbers in [from, to) from the random stream.
  void fillUniform(Tensor& tensor, double from, double to) const;
  /// Drops what backward would need from the last forward.
  void forgetForward() { lastInput_.forget(); }

  // The three verbs. Tensors passed in are contiguous and of this module's device.

  /// Computes output.
  virtual void updateOutput(const Activity& input) = 0;
  /// Computes gradInput; makes all allocations that backward needs.
  virtual void updateGradInput(const Activity& input, const Activity& gradOutput) = 0;
  /// Adds scale times the parameter gradients; follows updateGradInput of the same arguments.
  virtual void accGradParameters(const Activity& /*input*/, const Activity& /*gradOutput*/,
                                 float /*scale*/) {}
  /// Called once the forward of the whole network has succeeded: the place for lasting effects such
  /// as running statistics.
  virtual void commitForward() {}
  virtual void useWorkspaceStrategy(WorkspaceStrategy /*strategy*/) {}
  /// Throws StateError if a workspace that accGradParameters will read no longer holds what this
  /// module's forward left in it.
  virtual void requireKeptWorkspace() const {}
  /// False only for demonstrations of what unguarded sharing breaks.
  bool isSharingGuarded() const { return isSharingGuarded_; }

 private:
  friend class Container;
  friend void shareWorkspaces(Module& network, const WorkspaceSharingOptions& options);
  friend void unshareWorkspaces(Module& network);
  friend void applyMemoryPlan(Module& network, const ArenaPlan& plan);

  void propagate(const Activity& input);
  void propagateGradient(const Activity& input, const Activity& gradOutput);
  void accumulate(const Activity& input, const Activity& gradOutput, float scale);
  /// Parameters that a user has set to strided views are replaced by contiguous copies.
  void makeParametersContiguous();
  Activity contiguous(const Activity& activity) const;
  void requireLastInput(const Activity& input) const;
  void requireOutputShape(const Activity& gradOutput) const;
  void setTraining(bool isTraining);
  void setMemorySharing(MemorySharing sharing, bool isGuarded = true);
  /// Throws StateError, naming what was asked for, if memory is shared here or below.
  void requireNothingShared(const std::string& request);

  Context context_;
  std::string path_;
  bool isTraining_ = true;
  MemorySharing memorySharing_ = MemorySharing::off;
  bool isSharingGuarded_ = true;
  ActivityIdentity lastInput_;
};

/// Builds a module (or criterion, or anything whose constructor starts with a Context) under a
/// name: its path is the current owner's, extended by the name.
template <class T, class... Arguments>
std::unique_ptr<T> build(std::string_view name, const Context& context, Arguments&&... arguments) {
  const OwnerScope scope(OwnerScope::pathOf(name));
  return std::make_unique<T>(context, std::forward<Arguments>(arguments)...);
}

}  // namespace torchette::nn
