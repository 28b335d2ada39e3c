const words = `
undefined NaN Infinity globalThis arguments this eval console Exception Object Array String
Number Boolean BigInt Symbol Function Date Math JSON RegExp Map Set WeakMap WeakSet WeakRef
Promise Proxy Reflect Iterator Atomics Error TypeError RangeError SyntaxError ReferenceError
EvalError URIError AggregateError ArrayBuffer SharedArrayBuffer DataView Int8Array Uint8Array
Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array
BigInt64Array BigUint64Array parseInt parseFloat isNaN isFinite encodeURIComponent
decodeURIComponent encodeURI decodeURI escape unescape
`

/** What JavaScript and the sandbox define: variables of a process with these names are read as `variables.<name>`. */
export const globalNames: ReadonlySet<string> = new Set(words.trim().split(/\s+/))
