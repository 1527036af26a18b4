// Convolution: what SpatialConvolution and SpatialFullConvolution have in common.
#pragma once

#include "layers/image_batch.h"
#include "layers/module.h"

namespace torchette::nn {

/// Parameters, workspaces and numbers of a layer that slides a window.
class Convolution : public Module {
 public:
  void visitTensors(const TensorVisitor& visit) override;

  /// Removes bias and gradBias.
  void noBias();
  bool hasBias() const { return hasBias_; }
  /// The one in use.
  virtual WorkspaceStrategy workspaceStrategy() const = 0;

  Tensor weight, gradWeight;
  Tensor bias, gradBias;  ///< nOutputPlane
  Tensor finput, fgradInput;

 protected:
  /// Extents of one call, and the correspondence between one image and its columns.
  struct Call {
    ImageBatch input, output;
    ColumnsGeometry columns;

    std::int64_t rows() const { return columns.rows(); }
    std::int64_t pixels() const { return columns.pixels(); }
  };

  /// weight is firstPlanes x secondPlanes x kH x kW. Weight and bias start uniform in
  /// +-1 / sqrt(kW kH nInputPlane). Throws ArgumentError for sizes below 1 or negative padding.
  Convolution(Context context, std::int64_t nInputPlane, std::int64_t nOutputPlane,
              const Window& window);
  /// Allocates and initialises the parameters.
  void initialise(std::int64_t firstPlanes, std::int64_t secondPlanes);

  /// Makes fgradInput the plane of ones that spreads the bias over an output plane.
  void makeOnes(const ImageBatch& results);

  /// Torch7's text, e.g. "nn.SpatialConvolution(3 -> 4, 4x4, 2,2, 1,1) without bias"; `suffix`
  /// stands before the closing parenthesis.
  std::string describe(const std::string& suffix) const;

  const std::int64_t nInputPlane_, nOutputPlane_;
  const Window window_;

 private:
  bool hasBias_ = true;
};

}  // namespace torchette::nn
