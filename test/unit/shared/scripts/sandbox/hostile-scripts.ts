/** A script that a hostile or careless author could write. `ends`: the statuses that are a clear outcome. */
export interface HostileScript {
  readonly name: string
  readonly script: string
  readonly ends: readonly ('ok' | 'error' | 'stopped' | 'refused')[]
}

const attacks = (ends: HostileScript['ends'], scripts: Record<string, string>): HostileScript[] =>
  Object.entries(scripts).map(([name, script]) => ({ name, script, ends }))

const huge = 'var huge = new Array(2 ** 32 - 1);'

const endless = attacks(['stopped'], {
  'an empty loop': 'for (;;);',
  'a loop that catches everything': 'for (;;) { try { for (;;); } catch (e) {} finally { continue } }',
  'a loop in finally': 'try { throw 1 } finally { for (;;); }',
  'a loop behind a caught fail... of another kind':
    'function f() { try { null.x } catch (e) { f() } finally { for (;;); } } f()',
  'a generator that never ends': 'function* g() { for (;;) yield 1 } for (const x of g());',
  'spreading a generator that never ends': '[...(function* () { for (;;) yield })()]',
  'an iterator that is never done':
    'Array.from({ [Symbol.iterator]: () => ({ next: () => ({ done: false, value: 1 }) }) })',
  'a getter that never answers': '({ get x() { for (;;); } }).x',
  'a proxy trap that never answers': 'new Proxy({}, { get() { for (;;); } }).x',
  'a proxy in a prototype chain': 'var o = Object.create(new Proxy({}, { has() { for (;;); } })); "x" in o',
  'a toString that never ends': '"" + { toString() { for (;;); } }',
  'a valueOf that never ends': '1 + { valueOf() { for (;;); } }',
  'a toPrimitive that never ends': '`${{ [Symbol.toPrimitive]() { for (;;); } }}`',
  'a comparator that never ends': '[2, 1].sort(() => { for (;;); })',
  'a replacer that never ends': '"aaa".replace(/a/g, () => { for (;;); })',
  'a label and continue': 'a: for (;;) { b: for (;;) { continue a } }',
  'with and a proxy scope': 'with (new Proxy({}, { has: () => { for (;;); } })) { anything }',
  'eval of a loop': 'eval("for(;;);")',
  'the Function constructor': 'new Function("for(;;);")()',
  'the generator constructor': '[...Object.getPrototypeOf(function*(){}).constructor("for(;;) yield")()]',
  'a class whose field loops': 'new (class { x = (() => { for (;;); })() })()',
  'a static block': 'class A { static { for (;;); } }',
  'a setter that loops': '({ set x(v) { for (;;); } }).x = 1',
  'Symbol.hasInstance that loops': '1 instanceof { [Symbol.hasInstance]() { for (;;); } }',
  'a species that loops': 'class A extends Array { static get [Symbol.species]() { for (;;); } } new A(3).map(x => x)',
  'microtasks without end': '(function f() { Promise.resolve().then(f) })()',
  'queueMicrotask without end': 'queueMicrotask(function f() { queueMicrotask(f) })',
  'an async function without end': '(async () => { for (;;) await 1 })()',
  'async iteration without end':
    '(async () => { for await (const x of (async function* () { for (;;) yield 1 })()); })()',
  'a thenable that loops': 'Promise.resolve({ then() { for (;;); } })',
  'a loop after the result is known': 'Promise.resolve().then(() => { for (;;); }); return 1',
  'an exception in an endless loop of callbacks':
    'for (;;) [1, 2, 3].forEach(() => { try { throw new Error("x") } catch (e) {} })',
  'a date parsed forever': 'for (;;) new Date("2020-01-01T00:00:00Z").toISOString()',
  'endless calls of an own method': 'for (;;) $api.uuid()',
  'endless hashing': 'var t = "x".repeat(1e6); for (;;) $api.hash("sha512", t)',
  'a loop that keeps a call in each step': 'for (;;) { try { $api.refused() } catch (e) {} }',
  'calls without end': 'for (let i = 0; i < 10000; i++) $api.find("a", "b", i)',
  'calls without end, each caught': 'for (let i = 0; i < 10000; i++) { try { $api.find("a", "b", i) } catch (e) {} }',
  'calls inside a comparator': 'Array.from({ length: 1000 }, (_, i) => i).sort(() => { $api.find("a"); return -1 })',
})

const regularExpressions = attacks(['ok', 'stopped'], {
  'nested quantifiers': '/^(a+)+$/.test("a".repeat(60) + "b")',
  'ambiguous alternatives': '/^(?:a|a)*$/.test("a".repeat(60) + "b")',
  'back references': '/^(a*)*\\1$/.test("a".repeat(60) + "b")',
  lookbehind: '/(?<=(a+)+b)c/.test("a".repeat(60) + "c")',
  'replace over and over': '"a".repeat(100000).replace(/(a*)*$/g, (m) => { for (;;); })',
})

/** Each runs inside one native call, which the interrupt handler cannot stop. */
const nativeLoops = attacks(['ok', 'error', 'stopped'], {
  'indexOf over four billion holes': `${huge} huge.indexOf(1)`,
  'lastIndexOf over four billion holes': `${huge} huge.lastIndexOf(1)`,
  'includes over four billion holes': `${huge} huge.includes(1)`,
  'join over four billion holes': `${huge} huge.join()`,
  'reverse over four billion holes': `${huge} huge.reverse()`,
  'fill over four billion holes': `${huge} huge.fill(0)`,
  'toString of four billion holes': `${huge} String(huge)`,
  'sort of four billion holes': `${huge} huge.sort()`,
  'splice of four billion holes': `${huge} huge.splice(0, 1)`,
  'unshift of four billion holes': `${huge} huge.length--; huge.unshift(1)`,
  'concat of four billion holes': `${huge} [].concat(huge, huge)`,
  'copyWithin over four billion holes': `${huge} huge.copyWithin(0, 1)`,
  'Array.from of a length': 'Array.from({ length: 2 ** 32 - 1 })',
  'an array-like without end': 'Array.prototype.indexOf.call({ length: Number.MAX_SAFE_INTEGER }, 1)',
  'apply with a length': 'Math.max.apply(null, { length: 2 ** 31 })',
  'JSON of four billion holes': `${huge} JSON.stringify(huge)`,
  '$data of four billion holes': `${huge} $data.x = huge`,
  'normalize of a long text': '"\\u0041\\u0300".repeat(4e6).normalize("NFD").normalize("NFC")',
  'a comparator over many': 'Array.from({ length: 3e5 }, Math.random).sort(() => Math.random() - 0.5)',
  'split and join of a long text': '"ab".repeat(1e6).split("a").join("b").split("b")',
  'replaceAll of a long text': '"a".repeat(1e6).replaceAll("a", "bb")',
  'indexOf in a repetitive text': '("a".repeat(4e6)).indexOf("a".repeat(2e6) + "b")',
  'the power of a big integer': '3n ** 1000000n * 7n ** 1000000n',
  'a big integer in decimal': 'String(2n ** 1000000n)',
  'a big integer from text': 'BigInt("9".repeat(1e6))',
  'division of big integers': 'var a = 3n ** 600000n, b = 7n ** 100000n; for (let i = 0; i < 1e5; i++) a % b',
  'Object.keys of many':
    'var o = {}; for (let i = 0; i < 2e5; i++) o["k" + i] = i; for (let i = 0; i < 1e4; i++) Object.keys(o)',
  'a typed array searched': 'var t = new Uint8Array(2e7); for (let i = 0; i < 1e4; i++) t.indexOf(1)',
})

const memory = attacks(['error', 'stopped'], {
  'arrays without end': 'a = []; for (;;) a.push(new Array(1000).fill(1))',
  'arrays without end, each failure caught':
    'a = []; for (;;) { try { a.push(new Array(1000).fill(1)) } catch (e) {} }',
  'a text that doubles': 'a = "x"; for (;;) a += a',
  'padStart to 2 ** 30': '"x".padStart(2 ** 30)',
  'repeat to 2 ** 29': '"x".repeat(2 ** 29)',
  'one array buffer': 'new ArrayBuffer(1e9)',
  'many array buffers': 'a = []; for (;;) a.push(new ArrayBuffer(1e6))',
  'a shared array buffer': 'a = []; for (;;) a.push(new SharedArrayBuffer(1e7))',
  'a growing array buffer': 'new ArrayBuffer(1, { maxByteLength: 2 ** 31 }).resize(2 ** 31)',
  'a map without end': 'm = new Map(); for (let i = 0; ; i++) m.set(i, {})',
  'properties without end': 'o = {}; for (let i = 0; ; i++) o["k" + i] = i',
  'closures without end': 'f = () => 1; for (;;) { const g = f; f = () => g() }',
  'symbols without end': 'a = []; for (;;) a.push(Symbol("x".repeat(1000) + a.length))',
  'registered symbols without end': 'for (let i = 0; ; i++) Symbol.for("x".repeat(1000) + i)',
  'promises without end': 'a = []; for (;;) a.push(new Promise(() => {}))',
  'a big integer that doubles': 'b = 3n; for (;;) b *= b',
  'errors with long stacks':
    'a = []; Error.stackTraceLimit = Infinity; (function f(n) { n ? f(n - 1) : 0; for (;;) a.push(new Error("x")) })(100)',
  'flat of arrays within arrays': 'a = [1]; for (;;) a = [a, a].flat(9)',
  'regular expressions without end': 'a = []; for (let i = 0; ; i++) a.push(new RegExp("x{1,100}" + i))',
  'functions compiled without end': 'a = []; for (let i = 0; ; i++) a.push(new Function("return " + i))',
})

const depth = attacks(['error', 'stopped'], {
  recursion: '(function f() { f() })()',
  'mutual recursion through getters': 'o = { get a() { return this.b }, get b() { return this.a } }; o.a',
  'recursion through proxies': 'p = new Proxy({}, { get: (t, k, r) => r[k] }); p.x',
  'recursion through toString': 'a = []; a[0] = { toString: () => a.join() }; a.join()',
  'recursion through replace': '(function f(s) { return s.replace(/a/, f) })("a")',
  'a proxy of a proxy of a proxy': 'p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.x',
  'a chain of bound functions': 'f = () => 1; for (let i = 0; i < 1e5; i++) f = f.bind(); f()',
  'a long prototype chain': 'o = {}; for (let i = 0; i < 1e6; i++) o = Object.create(o); o.x; for (;;) o.x',
  'deeply nested $data': 'a = []; for (let i = 0; i < 1e5; i++) a = [a]; $data.a = a',
  'nested $data of 1,000 levels': 'a = []; for (let i = 0; i < 1000; i++) a = [a]; $data.a = a',
  'deeply nested arguments': 'a = []; for (let i = 0; i < 1e4; i++) a = [a]; $api.find(a)',
  'deeply nested JSON parsed': 'JSON.parse("[".repeat(1e6))',
  'deeply nested JSON parsed and kept': '$data.a = JSON.parse("[".repeat(900) + "]".repeat(900))',
  'deeply nested source in eval': 'eval("(".repeat(1e5))',
  'a deep regular expression': 'new RegExp("(".repeat(1e5) + ")".repeat(1e5))',
  'deeply nested template': 'eval("`${".repeat(1e4) + "1" + "}`".repeat(1e4))',
  'a cycle in $data': '$data.self = $data',
  'a cycle in arguments': 'a = {}; a.a = a; $api.find(a)',
})

const results = attacks(['error', 'stopped'], {
  '$data as a number': '$data = 5',
  '$data as an array': '$data = [1]',
  '$data as null': '$data = null',
  '$data as undefined': '$data = undefined',
  '$data as a function': '$data = () => 1',
  '$data as a symbol': '$data = Symbol()',
  '$data as a text': '$data = "{}"',
  '$data as JSON of an array': '$data = { toJSON: () => [1] }',
  '$data with a getter that throws':
    'Object.defineProperty($data, "x", { enumerable: true, get() { throw new Error("no") } })',
  '$data with a getter that loops': 'Object.defineProperty($data, "x", { enumerable: true, get() { for (;;); } })',
  '$data with a toJSON that loops': '$data.toJSON = () => { for (;;); }',
  '$data as a proxy that loops': '$data = new Proxy({}, { ownKeys() { for (;;); } })',
  '$data with __proto__ as a key':
    'Object.defineProperty($data, "__proto__", { enumerable: true, value: { admin: true } })',
  '$data with __proto__ from JSON': '$data.a = JSON.parse(\'{"__proto__": {"admin": true}}\')',
  '$data with a big integer': '$data.x = 1n',
  '$data larger than a megabyte': '$data.x = "x".repeat(2e6)',
  '$data of many keys': 'for (let i = 0; i < 2e5; i++) $data["key" + i] = i',
  'arguments with __proto__': '$api.find(JSON.parse(\'{"__proto__": 1}\'))',
  'arguments larger than 256 KB': '$api.find("x".repeat(300000))',
  'arguments larger than 256 KB in bytes': '$api.find("é".repeat(200000))',
  'a big integer as an argument': '$api.find(1n)',
  'a method name that is none': '$api["a b\\0c"]()',
  'a method name of a megabyte': '$api["x".repeat(1e6)]()',
  'a promise that never settles': 'return new Promise(() => {})',
  'a promise that is rejected': 'return Promise.reject(new Error("no"))',
  'an async function that fails': 'return (async () => { await 1; null.x })()',
})

const thrown = attacks(['error', 'stopped'], {
  nothing: 'throw undefined',
  null: 'throw null',
  'a number': 'throw 42',
  'an empty text': 'throw ""',
  'a symbol': 'throw Symbol("s")',
  'a big integer': 'throw 10n',
  'a function': 'throw () => 1',
  'an object without a message': 'throw { a: 1 }',
  'an object without a prototype': 'throw Object.create(null)',
  'an object whose getters throw':
    'throw { get message() { throw 1 }, get stack() { throw 2 }, get name() { throw 3 } }',
  'an object whose message loops': 'throw { get message() { for (;;); } }',
  'an object whose message is an object': 'throw { message: { toString() { throw 1 } }, stack: [], name: {} }',
  'a proxy that throws': 'throw new Proxy({}, { get() { throw new Error("x") }, ownKeys() { throw 1 } })',
  'a revoked proxy': 'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy',
  'an error with an endless message': 'throw new Error("x".repeat(5e6))',
  'an error with a forged stack': 'const e = new Error("x"); e.stack = "    at a (script:999999:9999999)"; throw e',
  'an error that claims to be out of memory': 'const e = new Error("out of memory"); e.name = "InternalError"; throw e',
  'an exception class of its own': 'throw new (class extends Exception { get message() { return "own" } })("x")',
  'fail, caught': 'try { $api.fail("no") } catch (e) {} return 1',
  'fail with a message that throws': '$api.fail({ toJSON() { throw 1 }, toString() { throw 2 } })',
  'fail with nothing': '$api.fail()',
  'fail, then a loop': 'try { $api.fail("no") } catch (e) { for (;;); }',
  'fail in a getter of the result':
    'Object.defineProperty($data, "x", { enumerable: true, get() { try { $api.fail("no") } catch (e) {} return 1 } })',
  'fail in a promise': 'Promise.resolve().then(() => $api.fail("no"))',
  'fail after Exception was replaced': 'Exception = class { constructor() { for (;;); } }; $api.fail("no")',
})

/** They may succeed or fail. The probe after each checks that nothing has changed for the next run. */
const tampering = attacks(['ok', 'error', 'stopped'], {
  'JSON.stringify replaced': 'JSON.stringify = () => \'{"status":"ok","hacked":true}\'',
  'JSON.parse replaced': 'JSON.parse = () => { throw 1 }; $api.find("a")',
  'JSON deleted': 'delete globalThis.JSON; $data.a = 1',
  'Array.prototype.toJSON': 'Array.prototype.toJSON = () => "hacked"; $api.find("a")',
  'Object.prototype.toJSON': 'Object.prototype.toJSON = () => ({ hacked: true })',
  'String.prototype.toJSON': 'String.prototype.toJSON = () => { for (;;); }; $api.log("x"); $data.a = "x"',
  'setters on Object.prototype':
    'for (const k of ["0", "1", "message", "value", "length"]) Object.defineProperty(Object.prototype, k, { set() { hacked = 1 }, configurable: true }); $api.find("a")',
  'getters on Object.prototype':
    'for (const k of ["message", "errors", "code", "get", "set", "value"]) Object.defineProperty(Object.prototype, k, { get() { return () => 1 }, configurable: true }); $api.refused()',
  'setters on Array.prototype':
    'Object.defineProperty(Array.prototype, "0", { set() { throw 1 } }); $api.find("a"); $api.log("a", "b")',
  'iterators replaced':
    'Array.prototype[Symbol.iterator] = function* () { for (;;) yield 1 }; $api.find("a"); $api.log("a")',
  'Reflect.apply replaced': 'Reflect.apply = () => { throw 1 }; $api.log("x".repeat(1e5)); $api.find("a")',
  'String.prototype.slice replaced': 'String.prototype.slice = () => ({}); $api.log("x".repeat(1e5))',
  'Promise.prototype.then replaced': 'Promise.prototype.then = () => { for (;;); }; return Promise.resolve(1)',
  'Promise species':
    'const p = Promise.resolve(1); p.constructor = { [Symbol.species]: function () { for (;;); } }; return p',
  'Error.prepareStackTrace':
    'Error.prepareStackTrace = (e, frames) => frames.map(f => f.getFunction()); try { $api.refused() } catch (e) { e.stack.forEach(f => f && f("call", "find", "[]")) }',
  'Error.prepareStackTrace redefined':
    'Object.defineProperty(Error, "prepareStackTrace", { value: () => { for (;;); } }); null.x',
  'Error.stackTraceLimit with a getter':
    'Object.defineProperty(Error, "stackTraceLimit", { get() { for (;;); } }); null.x',
  'Error replaced': 'Error = TypeError = null; $api.refused()',
  'Error.prototype frozen': 'Object.freeze(Error.prototype); $api.refused()',
  'Exception replaced': 'Exception = function () { return { message: { a: 1 } } }; throw new Exception("x")',
  'Exception with another parent':
    'Object.setPrototypeOf(Exception, function () { for (;;); }); throw new Exception("x")',
  '$api assigned': '$api = { find: () => "hacked" }; $data.a = typeof $api.uuid()',
  '$api redefined': 'Object.defineProperty(globalThis, "$api", { value: 1 })',
  '$api changed': '$api.find = () => "hacked"; $api.__proto__ = {}; $data.a = $api.find("a")',
  '$api defined upon': 'Object.defineProperty($api, "find", { value: 1 })',
  '$api with another prototype': 'Object.setPrototypeOf($api, { find: 1 })',
  '$api.date changed': '$api.date.now = () => "hacked"; $data.a = $api.date.now()',
  '$api awaited': '(async () => { $data.a = typeof await $api })()',
  '$api as a result': 'return $api',
  '$api in $data': '$data.api = $api; $data.find = $api.find',
  '$api as a text': '"" + $api',
  '$api called with another this': '$api.find.call(undefined, "a"); $api.find.apply($data, ["a"])',
  '$api methods as constructors': 'new $api.find("a")',
  '$data redefined as an accessor': 'Object.defineProperty(globalThis, "$data", { get() { for (;;); } })',
  '$data made constant': 'Object.defineProperty(globalThis, "$data", { writable: false }); $data = 5',
  '$data deleted': 'delete globalThis.$data; $data.a = 1',
  '$data shadowed': 'var $data = 5; let $old = 1',
  'console replaced': 'console = null; $api.log("a")',
  'the global object frozen': 'Object.freeze(globalThis); x = 1',
  'all prototypes emptied':
    'for (const o of [Object, Array, String, Function, Promise, Map]) for (const k of Reflect.ownKeys(o.prototype)) delete o.prototype[k]; $data.a = 1',
  'all globals deleted': 'for (const k of Reflect.ownKeys(globalThis)) delete globalThis[k]',
  'the prototype of the global object':
    'Object.setPrototypeOf(globalThis, new Proxy({}, { get() { for (;;); }, has: () => true })); anything',
  'Function.prototype.call replaced':
    'Function.prototype.call = Function.prototype.apply = () => { throw 1 }; $api.find("a")',
  'Symbol.hasInstance of Error':
    'Object.defineProperty(Error, Symbol.hasInstance, { value: () => { for (;;); } }); $api.log({})',
  'the end of the wrapper called': '__end(); return 5',
  'the end of the wrapper replaced': '__end = () => { for (;;); }',
  'arguments.callee': 'arguments.callee = 1; arguments.callee.caller',
  'the callers of its functions': '(function f() { return f.caller && f.caller.toString() })()',
  'its own source': '$data.a = arguments.callee.toString()',
})

const escapes = attacks(['ok', 'error', 'stopped'], {
  'process through a constructor':
    '$data.a = typeof this.constructor.constructor("return typeof process === \\"undefined\\" ? 1 : process.exit()")()',
  require: '$data.a = require("fs").readFileSync("/etc/passwd")',
  'globalThis of the host':
    '$data.a = Object.getOwnPropertyNames(globalThis).filter(k => /process|require|Worker|fetch|WebAssembly|Deno|std|os|postMessage|import/.test(k)); if ($data.a.length) for (;;);',
  'the constructor of what the host answers': '$api.find("a").constructor.constructor("return this")().process.exit()',
  'the constructor of an exception':
    'try { $api.refused() } catch (e) { e.constructor.constructor("return process")().exit() }',
  'the constructor of an own method': '$api.find.constructor("return process")().exit()',
  'import in eval': "eval(\"import('fs').then(fs => fs.writeFileSync('hacked', ''))\")",
  'import in the Function constructor': 'return new Function("return import(\'node:fs\')")()',
  'import.meta in eval': 'eval("import.meta.url")',
  'std and os of QuickJS': '$data.a = typeof std + typeof os + typeof scriptArgs + typeof print + typeof bjson',
  'Atomics.wait': 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
  postMessage: 'postMessage("x")',
  'a finalizer': 'new FinalizationRegistry(() => { for (;;); }).register({}, 1); for (let i = 0; i < 1e5; i++) ({})',
  'a weak reference': '$data.a = typeof new WeakRef({}).deref()',
  'the clock': '$data.a = [Date.now(), performance.now(), performance.timeOrigin].every(Number.isFinite)',
  'a date without end': 'new Date(8.64e15 + 1).toISOString()',
  'a date of the sandbox without end': '$api.date.add($api.date.now(), 1e300, "years")',
  'a unit that is none': '$api.date.add("2020-01-01", 1, "__proto__")',
  'a hash of everything': '$api.hash("constructor", "x")',
})

const floods = attacks(['ok', 'error', 'stopped'], {
  'ten thousand log lines': 'for (let i = 0; i < 10000; i++) console.log("line", i)',
  'log lines without end': 'for (;;) console.log("x".repeat(1000))',
  'a log line of ten megabytes': 'console.log("x".repeat(1e7))',
  'a log of a huge object': 'console.log(Array.from({ length: 1e5 }, (_, i) => ({ i })))',
  'a log of everything odd':
    'console.log(Symbol("a"), 1n, null, undefined, () => 1, new Proxy({}, { get() { throw 1 } }), { toJSON() { throw 1 } }, new Error("e"))',
  'a log of what loops': 'console.log({ toJSON() { for (;;); } })',
  'a log of an error that throws':
    'const e = new Error(); Object.defineProperty(e, "toString", { get() { throw 1 } }); console.log(e)',
  'a log with control characters': 'console.log("\\u0000\\u001b[2J\\n{\\"level\\":\\"ERROR\\"}\\ud800")',
})

const sources = attacks(['refused'], {
  'closing the wrapper': '});globalThis.hacked = 1;(function(){',
  'closing the wrapper twice': '}})(()=>{});for(;;);(function(__end){return function(){',
  'an open comment': '/*',
  'an open template': '`${',
  'an open text': '"',
  'an open regular expression': '/[',
  'a static import': 'import "fs"',
  'parentheses without end': '('.repeat(65_000),
  'braces without end': '{'.repeat(65_000),
  'a source of a hundred kilobytes': 'x;'.repeat(50_000),
})

export const hostileScripts: readonly HostileScript[] = [
  ...endless,
  ...regularExpressions,
  ...nativeLoops,
  ...memory,
  ...depth,
  ...results,
  ...thrown,
  ...tampering,
  ...escapes,
  ...floods,
  ...sources,
]
