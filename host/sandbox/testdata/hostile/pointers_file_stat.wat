;; The line of the question chooses a pointer and a length from the table. The pointer is where 24
;; bytes go. What reaches outside the memory fails the query with LSP_PROVIDER_FAILED.
(module
  (import "navseam_v1" "locations" (func $locations (param i32 i32)))
  (import "navseam_v1" "file_stat" (func $file_stat (param i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  ;; pointer, length
  (data (i32.const 1024) "\e8\ff\00\00") ;; 0: 0xffe8
  (data (i32.const 1032) "\e9\ff\00\00") ;; 1: 0xffe9
  (data (i32.const 1040) "\00\00\01\00") ;; 2: 0x10000
  (data (i32.const 1048) "\ff\ff\ff\ff") ;; 3: 0xffffffff
  (data (i32.const 1056) "\00\00\00\80") ;; 4: 0x80000000
  (data (i32.const 1064) "\f8\ff\ff\ff") ;; 5: 0xfffffff8
  (data (i32.const 65535) "z") ;; the last byte of the memory
  (data (i32.const 64) "workspace/a.toy")

  (func (export "goToDefinition") (param $line i32) (param $character i32) (result i32)
    (global.set $used (i32.const 1))
    (drop (call $file_stat (i32.const 64) (i32.const 15) (i32.load offset=1024 (i32.shl (local.get $line) (i32.const 3)))))
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
