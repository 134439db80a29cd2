# run(COMMAND...): ends the test if the command fails.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "ended with ${status}: ${command}")
  endif()
endfunction()
