;; The line of the question chooses a pointer and a length from the table. Only bytes that would be
;; written outside the memory fail the query, with LSP_PROVIDER_FAILED; the rest does no harm.
(module
  (import "navseam_v1" "locations" (func $locations (param i32 i32)))
  (import "navseam_v1" "dir_read" (func $dir_read (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  ;; pointer, length
  (data (i32.const 1024) "\00\00\01\00\00\00\00\00") ;; 0: 0x10000, 0x0
  (data (i32.const 1032) "\ff\ff\00\00\01\00\00\00") ;; 1: 0xffff, 0x1
  (data (i32.const 1040) "\ff\ff\00\00\02\00\00\00") ;; 2: 0xffff, 0x2
  (data (i32.const 1048) "\00\00\01\00\01\00\00\00") ;; 3: 0x10000, 0x1
  (data (i32.const 1056) "\ff\ff\ff\ff\01\00\00\00") ;; 4: 0xffffffff, 0x1
  (data (i32.const 1064) "\ff\ff\ff\ff\02\00\00\00") ;; 5: 0xffffffff, 0x2
  (data (i32.const 1072) "\00\00\00\80\01\00\00\00") ;; 6: 0x80000000, 0x1
  (data (i32.const 1080) "\00\80\00\00\00\80\ff\ff") ;; 7: 0x8000, 0xffff8000
  (data (i32.const 1088) "\00\00\00\80\00\00\00\80") ;; 8: 0x80000000, 0x80000000
  (data (i32.const 1096) "\ff\ff\ff\ff\00\00\00\00") ;; 9: 0xffffffff, 0x0
  (data (i32.const 1104) "\fe\ff\00\00\ff\ff\ff\7f") ;; 10: 0xfffe, 0x7fffffff
  (data (i32.const 65535) "z") ;; the last byte of the memory
  (data (i32.const 64) "workspace")

  (func (export "goToDefinition") (param $line i32) (param $character i32) (result i32)
    (global.set $used (i32.const 1))
    (drop (call $dir_read (i32.const 64) (i32.const 9) (i32.load offset=1024 (i32.shl (local.get $line) (i32.const 3))) (i32.load offset=1028 (i32.shl (local.get $line) (i32.const 3)))))
    (i32.const 0))

  ;; findReferences hands over line 0 of a.toy from a fresh instance, line 1 from one that
  ;; has misbehaved.
  (global $used (mut i32) (i32.const 0))
  (data (i32.const 0) "a.toy")
  (data (i32.const 8) "\00\00\00\00\05\00\00\00\00\00\00\00\00\00\00\00\01\00\00\00\00\00\00\00")
  (func (export "findReferences") (param i32 i32) (result i32)
    (i32.store (i32.const 16) (global.get $used))
    (call $locations (i32.const 8) (i32.const 1))
    (i32.const 0)))
