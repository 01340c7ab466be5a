# cmake -D SOURCE=kernels.cl -D OUTPUT=kernels.inc -D FOLDERS="a;b" -P embed.cmake
# Writes SOURCE as a C++ string literal, every #include "..." of it replaced by the file's text, found in FOLDERS;
# and OUTPUT.d, the files that it was made from.
file(READ ${SOURCE} text)
set(read ${SOURCE})
while(text MATCHES "#include \"([^\"\n]+)\"")
  set(line "${CMAKE_MATCH_0}")
  unset(file CACHE)
  find_file(file ${CMAKE_MATCH_1} PATHS ${FOLDERS} REQUIRED NO_DEFAULT_PATH)
  file(READ ${file} part)
  string(REPLACE "${line}" "${part}" text "${text}")
  string(APPEND read " ${file}")
endwhile()
file(WRITE ${OUTPUT} "R\"opencl(${text})opencl\"\n")
file(WRITE ${OUTPUT}.d "${OUTPUT}: ${read}\n")
