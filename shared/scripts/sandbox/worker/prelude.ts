import { maxLogLineCharacters } from '../../../kernel/limits/scripts.ts'
import { dataBytes } from '../messages.ts'
import { datePrelude } from './date-prelude.ts'

/**
 * Source text that QuickJS runs before the script: `$api`, `console`, `Exception` and the variables.
 *
 * A script may replace any global, prototype or method. So this code keeps references to what it needs, calls no
 * methods of values, reads no inheritable properties, iterates by index, and passes JSON texts only. The host checks
 * them all.
 *
 * `host(name, ...texts)` answers a text or undefined. The result is a list of functions for the worker.
 */
export const prelude = String.raw`(function (host) {
'use strict'
const { parse, stringify } = JSON
const { apply, construct, getPrototypeOf } = Reflect
const { freeze, defineProperty, hasOwn } = Object
const BaseError = Error, asText = String, globals = globalThis
const { slice } = String.prototype
const { toString: describeSymbol } = Symbol.prototype
const maxText = ${maxLogLineCharacters}

// It would get frames that contain functions, including those of this prelude.
defineProperty(Error, 'prepareStackTrace', { value: undefined })

const cut = (text) => (text.length > maxText ? apply(slice, text, [0, maxText - 1]) + '…' : text)

function show(value) {
  try {
    switch (typeof value) {
      case 'string': return cut(value)
      case 'symbol': return cut(apply(describeSymbol, value, []))
      case 'function': return '[function]'
      case 'bigint': return asText(value) + 'n'
      case 'object':
        if (value instanceof BaseError) return cut(asText(value))
        return cut(stringify(value))
      default: return asText(value)
    }
  } catch {
    return '[a value that cannot be shown]'
  }
}

class Exception extends BaseError {
  constructor(message, code) {
    super(message)
    if (code !== undefined) note(this, 'code', code)
  }
}
defineProperty(Exception.prototype, 'name', { value: 'Exception', writable: true, configurable: true })
// As with JavaScript's own errors, new is optional.
const CallableException = new Proxy(Exception, { __proto__: null, apply: (target, self, args) => construct(target, args) })
defineProperty(globals, 'Exception', { value: CallableException, writable: true, configurable: true })

// Errors that the script did not choose: those of the engine, and calls that were refused.
const engineErrors = freeze([TypeError.prototype, ReferenceError.prototype, RangeError.prototype, SyntaxError.prototype, URIError.prototype, EvalError.prototype])
const refusals = new WeakSet(), { add: remember, has: isKnown } = WeakSet.prototype
function isDeliberate(thrown) {
  if ((typeof thrown !== 'object' || thrown === null) && typeof thrown !== 'function') return true
  try {
    if (apply(isKnown, refusals, [thrown])) return false
    let prototype = getPrototypeOf(thrown)
    for (let step = 0; prototype !== null && step < 20; step++) {
      for (let i = 0; i < engineErrors.length; i++) if (prototype === engineErrors[i]) return false
      prototype = getPrototypeOf(prototype)
    }
    return thrown.name !== 'InternalError'
  } catch {
    return true
  }
}

const note = (error, key, value) => defineProperty(error, key, { __proto__: null, value, writable: true, configurable: true })

function refuse(refusal) {
  const error = new BaseError(refusal.message)
  apply(remember, refusals, [error])
  if (hasOwn(refusal, 'code')) note(error, 'code', refusal.code)
  if (hasOwn(refusal, 'errors')) note(error, 'errors', refusal.errors)
  throw error
}

function stackOf(error) {
  try {
    const { stack } = error
    return typeof stack === 'string' ? apply(slice, stack, [0, 4000]) : ''
  } catch {
    return ''
  }
}

function call(name, args) {
  const answer = parse(host('call', name, asText(stringify(args))))
  if (answer[0] !== true) refuse(answer[1])
  return answer.length > 1 ? answer[1] : undefined
}

function fail(message, field) {
  const text = message === undefined ? '' : show(message)
  host('fail', stringify(text), stringify(typeof field === 'string' ? cut(field) : ''), stackOf(new BaseError(text)))
  throw new Exception(text)
}

let logging = true
function writeLog(level, parts) {
  if (!logging) return
  let line = ''
  for (let i = 0; i < parts.length && line.length < maxText; i++) line += (i === 0 ? '' : ' ') + show(parts[i])
  logging = host('log', level, stringify(cut(line))) === 'more'
}
const logger = (level) => freeze(function (...parts) { writeLog(level, parts) })
const log = logger('info')
defineProperty(globals, 'console', {
  value: freeze({ log, info: log, debug: log, warn: logger('warn'), error: logger('error') }),
  writable: true, configurable: true,
})

// An engine may have served other runs: each begins with numbers of its own (sfc32).
let [a, b, c, d] = [0, 0, 0, 0]
function word() {
  const sum = (((a + b) | 0) + d) | 0
  d = (d + 1) | 0
  a = b ^ (b >>> 9)
  b = (c + (c << 3)) | 0
  c = (((c << 21) | (c >>> 11)) + sum) | 0
  return sum >>> 0
}
defineProperty(Math, 'random', {
  __proto__: null,
  value: { random() { return ((word() >>> 5) * 67108864 + (word() >>> 6)) / 9007199254740992 } }.random,
  writable: true, configurable: true,
})

let now = ''
const own = freeze({
  __proto__: null,
  fail: freeze(fail),
  log,
  users: freeze({ __proto__: null, find: freeze((query) => call('users.find', [query])) }),
  uuid: freeze(() => host('uuid')),
  hash: freeze((algorithm, text) => {
    const answer = parse(host('hash', asText(algorithm), stringify(asText(text))))
    if (answer[0] !== true) refuse(answer[1])
    return answer[1]
  }),
  date: ${datePrelude},
})
// Names that the language itself looks up on objects.
const notMethods = freeze({ __proto__: null, then: 1, toJSON: 1, toString: 1, valueOf: 1, constructor: 1, prototype: 1, ['__proto__']: 1 })
const api = new Proxy(own, freeze({
  __proto__: null,
  get(target, name) {
    if (typeof name === 'symbol' || name in notMethods) return undefined
    return name in own ? own[name] : freeze(function (...args) { return call(name, args) })
  },
}))
defineProperty(globals, '$api', { value: api, enumerable: true })

// A text that is too long is not passed on; its length is.
const bounded = (text) => (typeof text === 'string' && text.length > ${dataBytes} ? text.length : text)

return [
  function load(text) {
    const given = parse(text)
    const seed = parse(host('seed'))
    a = seed[0], b = seed[1], c = seed[2], d = seed[3]
    now = typeof given.context?.now === 'string' ? given.context.now : new Date().toISOString()
    for (const name of ['data', 'old', 'record', 'user', 'context', 'incoming']) {
      defineProperty(globals, '$' + name, { value: given[name] ?? null, writable: true, enumerable: true })
    }
  },
  function describe(thrown) {
    let message, name
    if ((typeof thrown === 'object' && thrown !== null) || typeof thrown === 'function') {
      try { message = thrown.message } catch {}
      try { name = thrown.name } catch {}
      if (typeof message !== 'string' || message === '') message = 'The script threw ' + show(thrown)
    } else {
      message = (typeof thrown === 'string' ? '' : 'The script threw ') + show(thrown)
    }
    host('thrown', stringify(cut(message)), stackOf(thrown), typeof name === 'string' ? cut(name) : '', isDeliberate(thrown) ? 'deliberate' : '')
  },
  function dataText() { return bounded(stringify(globals.$data)) },
  function valueText(value) { return bounded(stringify(value)) },
]
})`
