;; The line of the question chooses a pointer and a length from the table. They are the records of
;; locations and their number, which may overflow when multiplied. What reaches outside the memory
;; fails the query with LSP_PROVIDER_FAILED; the last 24 bytes of the memory are a record, with an
;; empty path.
(module
  (import "navseam_v1" "locations" (func $locations (param i32 i32)))
  (memory (export "memory") 1)
  ;; pointer, length
  (data (i32.const 1024) "\00\00\01\00\00\00\00\00") ;; 0: 0x10000, 0x0
  (data (i32.const 1032) "\ff\ff\ff\ff\00\00\00\00") ;; 1: 0xffffffff, 0x0
  (data (i32.const 1040) "\e8\ff\00\00\01\00\00\00") ;; 2: 0xffe8, 0x1
  (data (i32.const 1048) "\e9\ff\00\00\01\00\00\00") ;; 3: 0xffe9, 0x1
  (data (i32.const 1056) "\08\00\00\00\ab\aa\aa\0a") ;; 4: 0x8, 0xaaaaaab
  (data (i32.const 1064) "\08\00\00\00\ff\ff\ff\ff") ;; 5: 0x8, 0xffffffff
  (data (i32.const 1072) "\00\00\00\80\01\00\00\00") ;; 6: 0x80000000, 0x1
  (data (i32.const 1080) "\08\00\00\00\00\00\00\10") ;; 7: 0x8, 0x10000000
  (data (i32.const 1088) "\f8\ff\ff\ff\01\00\00\00") ;; 8: 0xfffffff8, 0x1
  (data (i32.const 1096) "\00\00\00\00\00\00\00\80") ;; 9: 0x0, 0x80000000
  (data (i32.const 65535) "z") ;; the last byte of the memory

  (func (export "goToDefinition") (param $line i32) (param $character i32) (result i32)
    (global.set $used (i32.const 1))
    (call $locations (i32.load offset=1024 (i32.shl (local.get $line) (i32.const 3))) (i32.load offset=1028 (i32.shl (local.get $line) (i32.const 3))))
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
