;; Needs a file: load says that it is not available until there is workspace/index, and
;; hover tells what the file says.
(module
  (import "navseam_v1" "file_open" (func $open (param i32 i32) (result i32)))
  (import "navseam_v1" "file_read" (func $read (param i32 i64 i32 i32) (result i32)))
  (import "navseam_v1" "error" (func $error (param i32 i32) (result i32)))
  (import "navseam_v1" "message" (func $message (param i32 i32)))
  (import "navseam_v1" "hover" (func $hover (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "workspace/index")
  (global $size (mut i32) (i32.const 0))
  (func (export "load") (result i32)
    (local $file i32)
    (local.set $file (call $open (i32.const 0) (i32.const 15)))
    (if (i32.lt_s (local.get $file) (i32.const 0)) (then
      (call $message (i32.const 1024) (call $error (i32.const 1024) (i32.const 1024)))
      (return (i32.const 2))))
    (global.set $size (call $read (local.get $file) (i64.const 0) (i32.const 64) (i32.const 512)))
    (i32.const 0))
  (func (export "hover") (param i32 i32) (result i32)
    (call $hover (i32.const 64) (global.get $size))
    (i32.const 0)))
