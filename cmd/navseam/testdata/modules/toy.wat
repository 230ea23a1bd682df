;; Answers without looking at the text: the definition is where it was asked, the references
;; are that and the beginning of the file, implementations are not supported here, and the
;; hover is the config.
(module
  (import "navseam_v1" "path" (func $path (param i32 i32) (result i32)))
  (import "navseam_v1" "config" (func $config (param i32 i32) (result i32)))
  (import "navseam_v1" "language" (func $language (param i32 i32) (result i32)))
  (import "navseam_v1" "locations" (func $locations (param i32 i32)))
  (import "navseam_v1" "hover" (func $hover (param i32 i32)))
  (import "navseam_v1" "log" (func $log (param i32 i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 2048) "hello from the toy")

  ;; 0: two records of 24 bytes. 64: the path. 1024: the language and the config.
  (func $record (param $at i32) (param $line i32) (param $character i32)
    (i32.store (local.get $at) (i32.const 64))
    (i32.store offset=4 (local.get $at) (call $path (i32.const 64) (i32.const 512)))
    (i32.store offset=8 (local.get $at) (local.get $line))
    (i32.store offset=12 (local.get $at) (local.get $character))
    (i32.store offset=16 (local.get $at) (local.get $line))
    (i32.store offset=20 (local.get $at) (local.get $character)))

  (func (export "load") (result i32)
    (call $log (i32.const 1) (i32.const 2048) (i32.const 18))
    (i32.const 0))

  (func (export "goToDefinition") (param $line i32) (param $character i32) (result i32)
    (call $record (i32.const 0) (local.get $line) (local.get $character))
    (call $locations (i32.const 0) (i32.const 1))
    (i32.const 0))

  (func (export "findReferences") (param $line i32) (param $character i32) (result i32)
    (call $record (i32.const 0) (i32.const 0) (i32.const 0))
    (call $record (i32.const 24) (local.get $line) (local.get $character))
    (call $locations (i32.const 0) (i32.const 2))
    (i32.const 0))

  (func (export "goToImplementation") (param i32 i32) (result i32)
    (i32.const 1))

  (func (export "hover") (param i32 i32) (result i32)
    (local $end i32)
    (local.set $end (i32.add (i32.const 1024) (call $language (i32.const 1024) (i32.const 64))))
    (i32.store8 (local.get $end) (i32.const 32))
    (local.set $end (i32.add (local.get $end) (i32.const 1)))
    (local.set $end (i32.add (local.get $end) (call $config (local.get $end) (i32.const 512))))
    (call $hover (i32.const 1024) (i32.sub (local.get $end) (i32.const 1024)))
    (i32.const 0)))
