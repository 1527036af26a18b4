// The peer of bench_lenet_step: the same training step of the same LeNet in libtorch, PyTorch's C++
// library. Usage: bench_libtorch_lenet BATCH STEPS THREADS      prints images/s
#include <torch/torch.h>

#include <chrono>
#include <cstdlib>
#include <iostream>

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: bench_libtorch_lenet BATCH STEPS THREADS\n";
    return 2;
  }
  const int batch = std::atoi(argv[1]), steps = std::atoi(argv[2]);
  torch::set_num_threads(std::atoi(argv[3]));
  torch::nn::Sequential network(
      torch::nn::Conv2d(1, 20, 5), torch::nn::MaxPool2d(2), torch::nn::Conv2d(20, 50, 5),
      torch::nn::MaxPool2d(2), torch::nn::Flatten(), torch::nn::Linear(800, 500), torch::nn::ReLU(),
      torch::nn::Linear(500, 10), torch::nn::LogSoftmax(1));
  torch::optim::SGD optimizer(network->parameters(), torch::optim::SGDOptions(0.01).momentum(0.9));
  const auto images = torch::rand({batch, 1, 28, 28});
  const auto labels = torch::randint(0, 10, {batch}, torch::kLong);

  const auto step = [&] {
    optimizer.zero_grad();
    torch::nll_loss(network->forward(images), labels).backward();
    optimizer.step();
  };
  for (int i = 0; i < 5; ++i) step();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < steps; ++i) step();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::cout << batch * steps / seconds.count() << '\n';
}
