# Installs the build in BUILD into a folder of its own, builds the consumer project there against it with COMPILER,
# runs it, and checks what it prints. Variables: SOURCE, BUILD, COMPILER, FLAGS, EXAMPLE.
set(work ${BUILD}/consumer)
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE output)
  set(output ${output} PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/prefix)
run(${CMAKE_COMMAND} -S ${SOURCE}/tests/consumer -B ${work}/build -G Ninja
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_FLAGS=${FLAGS} -DCMAKE_PREFIX_PATH=${work}/prefix
    -DTORCHETTE_EXAMPLE=${EXAMPLE})
run(${CMAKE_COMMAND} --build ${work}/build)
run(${work}/build/consumer)
if(NOT output MATCHES "finput : 16x48x256, 786432 bytes")
  message(FATAL_ERROR "The consumer printed something else:\n${output}")
endif()
