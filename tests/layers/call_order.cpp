// backward needs the forward that belongs to it.
#include <doctest/doctest.h>

#include "layers/container.h"
#include "layers/tanh.h"
#include "runtime/errors.h"
#include "tests/layers/layer_support.h"
#include "tests/support/check_throws.h"

namespace torchette::testing {

namespace {

const std::vector<std::string> complaint = {"net: ", "backward", "last forward", "2x3"};

/// One module and one network that the cases below run on.
const std::vector<std::string> expressions = {"nn.Linear(3,3)", "nn.Linear(3,3); nn.Tanh()"};

struct Subject {
  std::unique_ptr<nn::Module> module;
  Tensor input, other, gradOutput;

  void checkRefused(const Tensor& with) {
    checkThrows<StateError>([&] { module->backward(with, gradOutput); }, complaint);
  }
};

Subject subjectOn(const std::shared_ptr<Backend>& backend, const std::string& expression) {
  return {moduleOn(backend, expression), randomTensor(*backend, {2, 3}, 1),
          randomTensor(*backend, {2, 3}, 2), randomTensor(*backend, {2, 3}, 3)};
}

/// Runs body(subject) for each expression.
template <class Body>
void forEachSubject(const std::shared_ptr<Backend>& backend, const Body& body) {
  for (const auto& expression : expressions) {
    CAPTURE(expression);
    auto subject = subjectOn(backend, expression);
    body(subject);
  }
}

}  // namespace

TEST_CASE("backward without forward is refused") {
  FOR_EACH_BACKEND(backend) {
    forEachSubject(backend, [](Subject& subject) { subject.checkRefused(subject.input); });
  }
}

TEST_CASE("backward for another input than the one of the last forward is refused") {
  FOR_EACH_BACKEND(backend) {
    forEachSubject(backend, [](Subject& subject) {
      subject.module->forward(subject.input);
      subject.module->forward(subject.other);
      subject.checkRefused(subject.input);
      subject.module->backward(subject.other, subject.gradOutput);
    });
  }
}

TEST_CASE("backward for another view of the same storage is refused") {
  FOR_EACH_BACKEND(backend) {
    const auto module = moduleOn(backend, "nn.Tanh()");
    const auto both = randomTensor(*backend, {2, 3}, 1);
    module->forward(both.narrow(0, 0, 1));
    const auto gradOutput = randomTensor(*backend, {1, 3}, 2);
    checkThrows<StateError>([&] { module->backward(both.narrow(0, 1, 1), gradOutput); },
                            {"net: ", "last forward", "1x3"});
    module->backward(both.narrow(0, 0, 1), gradOutput);
  }
}

TEST_CASE("a switch between training and evaluation ends what forward began") {
  FOR_EACH_BACKEND(backend) {
    forEachSubject(backend, [](Subject& subject) {
      subject.module->forward(subject.input);
      subject.module->evaluate();
      CHECK_FALSE(subject.module->isTraining());
      subject.checkRefused(subject.input);
      subject.module->forward(subject.input);
      subject.module->backward(subject.input, subject.gradOutput);
      subject.module->training();
      subject.checkRefused(subject.input);
    });
  }
}

TEST_CASE("training a network that trains already changes nothing") {
  FOR_EACH_BACKEND(backend) {
    forEachSubject(backend, [](Subject& subject) {
      subject.module->forward(subject.input);
      subject.module->training();
      subject.module->backward(subject.input, subject.gradOutput);
    });
  }
}

TEST_CASE("clearState and a new strategy end what forward began") {
  FOR_EACH_BACKEND(backend) {
    forEachSubject(backend, [](Subject& subject) {
      subject.module->forward(subject.input);
      subject.module->clearState();
      subject.checkRefused(subject.input);
      subject.module->forward(subject.input);
      subject.module->setWorkspaceStrategy(nn::WorkspaceStrategy::sample);
      subject.checkRefused(subject.input);
    });
  }
}

TEST_CASE("a failed forward ends what the forward before it began") {
  FOR_EACH_BACKEND(backend) {
    forEachSubject(backend, [&](Subject& subject) {
      subject.module->forward(subject.input);
      const auto wrong = randomTensor(*backend, {2, 7}, 4);
      CHECK_THROWS_AS(subject.module->forward(wrong), ShapeError);
      subject.checkRefused(subject.input);
      subject.module->forward(subject.input);
      subject.module->backward(subject.input, subject.gradOutput);
    });
  }
}

TEST_CASE("a failed forward ends it for the modules that had succeeded too") {
  FOR_EACH_BACKEND(backend) {
    auto subject = subjectOn(backend, "nn.Tanh(); nn.Linear(7,3)");
    CHECK_THROWS_AS(subject.module->forward(subject.input), ShapeError);
    auto& first = *subject.module->children()[0];
    checkThrows<StateError>([&] { first.backward(subject.input, subject.gradOutput); },
                            {"net/1: ", "last forward"});
  }
}

TEST_CASE("a refused backward leaves the gradients alone") {
  FOR_EACH_BACKEND(backend) {
    forEachSubject(backend, [&](Subject& subject) {
      subject.module->forward(subject.input);
      subject.module->backward(subject.input, subject.gradOutput);
      const auto gradients = gradientValuesOf(*subject.module);
      subject.checkRefused(subject.other);
      const auto wrong = randomTensor(*backend, {2, 4}, 5);
      CHECK_THROWS_AS(subject.module->backward(subject.input, wrong), ShapeError);
      CHECK(gradientValuesOf(*subject.module) == gradients);
    });
  }
}

TEST_CASE("backward of the network is refused after a module inside ran alone") {
  FOR_EACH_BACKEND(backend) {
    auto subject = subjectOn(backend, "nn.Linear(3,3); nn.Tanh()");
    subject.module->forward(subject.input);
    subject.module->children()[0]->forward(subject.other);
    checkThrows<StateError>([&] { subject.module->backward(subject.input, subject.gradOutput); },
                            {"net/1: ", "last forward"});
  }
}

TEST_CASE("a module added after forward ends what forward began") {
  FOR_EACH_BACKEND(backend) {
    auto subject = subjectOn(backend, "nn.Linear(3,3); nn.Tanh()");
    subject.module->forward(subject.input);
    const OwnerScope scope("net");
    auto& network = dynamic_cast<nn::Container&>(*subject.module);
    network.adopt(nn::build<nn::Tanh>("3", contextOn(backend)));
    subject.checkRefused(subject.input);
  }
}

}  // namespace torchette::testing
