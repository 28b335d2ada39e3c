import { createHash } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { Conflict, Invalid } from '../../../../../shared/kernel/failures/faults.ts'
import { createSandbox, type ScriptHost } from '../../../../../shared/scripts/sandbox/sandbox.ts'
import { checkSource } from '../../../../../shared/scripts/source/check-source.ts'
import { echoHost, runIn, timeFactor } from '../../../../make/builders/script-runs.ts'

const sandbox = createSandbox()
const run = runIn(sandbox)
afterAll(() => sandbox.close())

const answering = (answer: (method: string, args: unknown[]) => unknown): ScriptHost => ({
  call: async (method, args) => answer(method, args),
})
const never: ScriptHost = { call: () => new Promise(() => {}) }

describe('$data', () => {
  it.each([
    ['is changed in place', `$data.title = $data.title + '!'`, { title: 'Printer!' }],
    ['is replaced', '$data = { a: [1, null, "x"] }', { a: [1, null, 'x'] }],
    ['can be accessed with arrows', `$data->title = $api->find('clients', 'email', 'a@b.c')->id`, { title: 7 }],
    [
      'loses what JSON cannot express',
      '$data = { a: undefined, b: () => 1, c: new Date(0), d: NaN }',
      { c: '1970-01-01T00:00:00.000Z', d: null },
    ],
    [
      'is read after promises have settled',
      'Promise.resolve().then(() => { $data.late = true })',
      { title: 'Printer', late: true },
    ],
    ['can have a key called constructor', '$data = { constructor: 1 }', { constructor: 1 }],
  ])('%s', async (_, script, data) => {
    expect(await run(script)).toMatchObject({ status: 'ok', data, returned: false })
  })

  it('stays null when there is none', async () => {
    expect(
      await run('$data === null && $old === null && $incoming === null ? 0 : fail()', { variables: {} }),
    ).toMatchObject({ status: 'ok', data: null })
  })

  it('is not part of a failed outcome', async () => {
    expect(await run('$data.a = 1; null.x')).not.toHaveProperty('data')
  })
})

describe('the end', () => {
  it.each([
    ['by a return', 'return', { returned: true, value: undefined }],
    ['by a return inside a block', 'if ($data.title) { return { a: 1 } } throw 1', { returned: true, value: { a: 1 } }],
    ['after a comment', '1 // the end', { returned: false }],
    ['with a value that is not JSON', 'return () => 1', { returned: true, value: undefined }],
    ['with a promise', 'return (async () => { await 1; return 5 })()', { returned: true, value: 5 }],
    ['of an empty script', '', { returned: false }],
    ['in strict mode', `'use strict'; return this === undefined`, { value: true }],
    ['in sloppy mode', '$c = 1; return this.$c + arguments.length', { value: 1 }],
  ])('%s', async (_, script, end) => {
    expect(await run(script)).toMatchObject({ status: 'ok', ...end })
  })
})

describe('an error', () => {
  it.each([
    ['names its position', 'let a = 1\n  null.x', { message: "cannot read property 'x' of null", line: 2, column: 3 }],
    ['names its position on the first line', '  null.x', { line: 1, column: 3 }],
    ['counts columns as editors do', `'😀'; null.x`, { line: 1, column: 7 }],
    ["after arrows names the author's column", '$data->title; null.x', { line: 1, column: 15 }],
    ['in a return names the statement', '$data.a = 1\n if ($data.a) {\n  return null.x\n}', { line: 3, column: 3 }],
    ['in a declaration names the statement', 'let a = 1; const b = null.x', { line: 1, column: 12 }],
    ['in a condition names the statement', 'let a\n\n  if (a.b) a = 1', { line: 3, column: 3 }],
    ['in a case names the statement', 'switch (1) {\n case 1: return null.x }', { line: 2, column: 10 }],
    ['after a statement without a semicolon', 'let a = 1\nlet b = a\nlet c = b.c.d', { line: 3, column: 1 }],
    [
      'in a function names the innermost position',
      'function f() {\n  return g()\n}\n f()',
      { message: 'g is not defined', line: 2 },
    ],
    ['in an eval names the position of its call', '\neval("null.x")', { line: 2 }],
    ['thrown as an Exception', `\n throw new Exception('No way')`, { message: 'No way', line: 2 }],
    ['thrown as an Exception without new', `throw Exception('No way')`, { message: 'No way' }],
    ['thrown as a text', `throw 'No way'`, { message: 'No way' }],
    ['of $api.fail with a field', `\n$api.fail('No way', 'title')`, { message: 'No way', field: 'title', line: 2 }],
    [
      'of $api.fail is kept when it is caught',
      `try { $api.fail('No way', 'title') } catch (e) {} $data.a = 1; return`,
      { message: 'No way', field: 'title' },
    ],
    [
      'of several $api.fail is the first',
      `try { $api.fail('first') } catch (e) { $api.fail('second') }`,
      { message: 'first' },
    ],
  ])('%s', async (_, script, error) => {
    expect(await run(script)).toMatchObject({ status: 'error', error })
  })

  it.each([
    [`throw new Exception('m')`, true],
    [`throw new Error('m')`, true],
    [`class Closed extends Error {} throw new Closed('m')`, true],
    [`throw 'm'`, true],
    [`throw { message: 'm' }`, true],
    [`$api.fail('m')`, true],
    [`try { $api.fail('m') } catch (e) { null.x }`, true],
    [`try { null.x } catch (e) { throw new Error('m') }`, true],
    ['null.x', undefined],
    ['missing()', undefined],
    ['new Array(-1)', undefined],
    [`JSON.parse('{')`, undefined],
    [`throw new TypeError('m')`, undefined],
    [`class Odd extends RangeError {} throw new Odd('m')`, undefined],
    [`(function f() { f() })()`, undefined],
    [`$api.date.add('then', 1, 'day')`, undefined],
    [`$api.hash('rot13', 'x')`, undefined],
    [`$data = 5`, undefined],
    [`while (true) {}`, undefined],
    [`for (let i = 0; i < 60; i++) $api.find('t', 'f', 1)`, undefined],
  ])('is known as one on purpose, or not: %s', async (script, isDeliberate) => {
    expect((await run(script)).error?.isDeliberate).toBe(isDeliberate)
  })

  it('of a refused call was not on purpose, also when it is thrown again', async () => {
    const host = answering(() => Promise.reject(new Conflict('name_taken', 'Taken.')))
    for (const script of [`$api.find('t')`, `try { $api.find('t') } catch (e) { throw e }`])
      expect((await run(script, { host })).error).toMatchObject({ message: 'Taken.' })
    expect((await run(`$api.find('t')`, { host })).error?.isDeliberate).toBe(undefined)
    const said = await run(`try { $api.find('t') } catch (e) { throw new Error('Later') }`, { host })
    expect(said.error).toMatchObject({ message: 'Later', isDeliberate: true })
  })

  it('says that calls are synchronous when the script awaits', async () => {
    const hint = 'calls of $api are synchronous and answer at once, so leave out await'
    expect((await run(`await ($api.find('t'))`)).error?.message).toBe(`await is not defined: ${hint}`)
    expect(() => checkSource(`const a = await $api.find('t')`)).toThrow(`A script cannot await: ${hint}`)
  })

  it('is an Error, an Exception and has a code', async () => {
    const script = `try { throw new Exception('m', 5) } catch (e) { return [e instanceof Error, e instanceof Exception, e.name, e.code, '' + e] }`
    expect(await run(script)).toMatchObject({ value: [true, true, 'Exception', 5, 'Exception: m'] })
  })
})

describe('a call', () => {
  it('is synchronous everywhere', async () => {
    const script = `
      const found = [3, 1, 2].map((n) => $api.find('t', 'f', n).args[2]).sort((a, b) => $api.find(a, b).args[0] - b)
      $data = { found, getter: { get x() { return $api.find('late').id } } }`
    expect(await run(script)).toMatchObject({ status: 'ok', data: { found: [1, 2, 3], getter: { x: 7 } } })
  })

  it('carries JSON there and back', async () => {
    const host = answering((_, [value]) => value)
    const value = { a: [1, 'ü😀\u0000\u2028', null, true, { b: {} }], c: '' }
    expect(await run(`return $api.echo(${JSON.stringify(value)})`, { host })).toMatchObject({ value })
  })

  it.each([
    ['undefined', undefined, 'undefined'],
    ['false', false, 'boolean'],
    ['null', null, 'object'],
  ])('may be answered by %s', async (_, answer, type) => {
    expect(await run('return typeof $api.anything()', { host: answering(() => answer) })).toMatchObject({ value: type })
  })

  it('that is refused is an exception with the message of the Fault', async () => {
    const host = answering(() => {
      throw new Conflict('name_taken', 'Taken')
    })
    expect(await run('\n$api.create("t", {})', { host })).toMatchObject({
      status: 'error',
      error: { message: 'Taken', line: 2 },
    })
    expect(await run('try { $api.create() } catch (e) { return [e.message, e.code] }', { host })).toMatchObject({
      value: ['Taken', 'conflict'],
    })
  })

  it('with validation errors says which', async () => {
    const host = answering(() => {
      throw new Invalid({ title: ['The title field is required.'] })
    })
    const message = 'Validation error (title: The title field is required.)'
    expect(await run('$api.create()', { host })).toMatchObject({ error: { message } })
    expect(await run('try { $api.create() } catch (e) { return e.errors.title[0] }', { host })).toMatchObject({
      value: 'The title field is required.',
    })
  })

  it('that meets a defect shows no internals', async () => {
    const host = answering(() => {
      throw new Error('password=secret')
    })
    const outcome = await run('$api.create()', { host })
    expect(outcome).toMatchObject({
      status: 'error',
      error: { message: '$api.create failed: the service could not answer it' },
    })
    expect(JSON.stringify(outcome)).not.toContain('secret')
  })

  it('is counted', async () => {
    expect(await run('for (let i = 0; i < 50; i++) $api.find()')).toMatchObject({ status: 'ok', calls: 50 })
    expect(await run('for (let i = 0; i < 51; i++) $api.find()')).toMatchObject({
      status: 'stopped',
      calls: 50,
      error: { message: 'The script made more than 50 $api calls' },
    })
  })

  it('does not reach the host after $api.fail', async () => {
    let calls = 0
    const host = answering(() => calls++)
    await run('try { $api.fail("no") } catch (e) {} $api.create("t", {})', { host })
    expect(calls).toBe(0)
  })

  it('that is never answered ends when the run does', async () => {
    const outcome = await run('try { $api.find() } catch (e) { for (;;); }', { host: never, limits: { wallMs: 200 } })
    expect(outcome).toMatchObject({
      status: 'stopped',
      error: { message: 'The script took longer than 0.2 s with its calls' },
    })
    expect(outcome.ms).toBeLessThan(600 * timeFactor)
    expect(await run('return 1')).toMatchObject({ value: 1 })
  })

  it('does not count as computing time', async () => {
    const slow = answering(() => new Promise((resolve) => setTimeout(resolve, 300)))
    expect(await run('$api.find(); $api.find()', { host: slow, limits: { cpuMs: 250 } })).toMatchObject({
      status: 'ok',
    })
  })
})

describe('without the host', () => {
  it.each([
    [`$api.date.now()`, '2026-11-20T10:00:00.000Z'],
    [`$api.date.today()`, '2026-11-20'],
    [`$api.date.add('2024-01-31', 1, 'month')`, '2024-02-29'],
    [`$api.date.add('2024-02-29', -1, 'years')`, '2023-02-28'],
    [`$api.date.add('2024-12-31', 1, 'day')`, '2025-01-01'],
    [`$api.date.add('2024-12-31', 90, 'minutes')`, '2024-12-31T01:30:00.000Z'],
    [`$api.date.add('2024-12-31T23:00:00+01:00', 2, 'hours')`, '2025-01-01T00:00:00.000Z'],
    [`$api.date.add(null, 1, 'week')`, '2026-11-27T10:00:00.000Z'],
    [`$api.date.diff('2024-01-01', '2024-03-01')`, 60],
    [`$api.date.diff('2024-01-31', '2024-02-29', 'months')`, 1],
    [`$api.date.diff('2024-02-28', '2023-02-28', 'year')`, -1],
    [`$api.date.diff('2024-01-01 10:00', '2024-01-01 12:30', 'hour')`, 2],
    [`$api.date.format('2024-03-05T07:08:09Z', 'DD.MM.YYYY HH:mm:ss')`, '05.03.2024 07:08:09'],
    [`$api.hash('sha256', 'a')`, 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb'],
    [`$api.hash('md5', 'ü\\u0000')`, createHash('md5').update('ü\u0000').digest('hex')],
    [`/^[0-9a-f]{8}-[0-9a-f]{4}-4/.test($api.uuid()) && $api.uuid() !== $api.uuid()`, true],
    [`$api.date.add('2024-12-31', '1', 'day')`, '2025-01-01'],
    [
      `try { $api.date.add('then', 1, 'day') } catch (e) { return e.message }`,
      '$api.date.add(value, amount, unit): value must be a date such as "2026-11-20" or a moment such as "2026-11-20T07:17:00Z", not "then"',
    ],
    [
      `try { $api.date.diff('2024-02-31') } catch (e) { return e.message }`,
      '$api.date.diff(from, to, unit): from must be a date such as "2026-11-20" or a moment such as "2026-11-20T07:17:00Z", not "2024-02-31"',
    ],
    [
      `try { $api.date.format(true, 'YYYY') } catch (e) { return e.message }`,
      '$api.date.format(value, pattern): value must be a date such as "2026-11-20" or a moment such as "2026-11-20T07:17:00Z", not true',
    ],
    [
      `try { $api.date.add('2024-12-31', 'two', 'days') } catch (e) { return e.message }`,
      '$api.date.add(value, amount, unit): amount must be a number, not "two"',
    ],
    [
      `try { $api.date.add('2024-12-31', 2, 'dayz') } catch (e) { return e.message }`,
      '$api.date.add(value, amount, unit): unit must be second, minute, hour, day, week, month or year, not "dayz"',
    ],
    [
      `try { $api.date.format('2024-12-31') } catch (e) { return e.message }`,
      '$api.date.format(value, pattern): pattern must be a text such as "YYYY-MM-DD HH:mm", not undefined',
    ],
    [
      `try { $api.date.add('2024-12-31', 1e9, 'years') } catch (e) { return e.message }`,
      '$api.date.add(value, amount, unit): the result is beyond the dates that there are',
    ],
    [
      `try { $api.hash('crc', 'x') } catch (e) { return e.message }`,
      '$api.hash knows md5, sha1, sha256, sha384, sha512',
    ],
  ])('%s', async (script, value) => {
    expect(await run(script.startsWith('try') ? script : `return ${script}`)).toMatchObject({
      status: 'ok',
      calls: 0,
      value,
    })
  })
})

describe('the log', () => {
  it('contains what the script wrote', async () => {
    const { log } = await run(
      `$api->log('a', 1, { b: [2] }, null, undefined); console.warn('w'); console.error(new Error('e')); console.log()`,
    )
    expect(log).toEqual([
      { level: 'info', message: 'a 1 {"b":[2]} null undefined' },
      { level: 'warn', message: 'w' },
      { level: 'error', message: 'Error: e' },
      { level: 'info', message: '' },
    ])
  })

  it.each([
    'for (let i = 0; i < 10000; i++) console.log(i)',
    'for (let i = 0; i < 1000; i++) console.log("x".repeat(1900))',
    'console.log("x".repeat(1e6))',
  ])('is bounded: %s', async (script) => {
    const { log, status } = await run(script)
    expect(status).toBe('ok')
    expect(log.length).toBeLessThanOrEqual(200)
    expect(JSON.stringify(log).length).toBeLessThan(80_000)
  })

  it('is kept when the thread is ended', async () => {
    const outcome = await run('console.log("before"); new Array(2 ** 32 - 1).indexOf(1)', { limits: { cpuMs: 50 } })
    expect(outcome).toMatchObject({ status: 'stopped', log: [{ level: 'info', message: 'before' }] })
  })
})

describe('the sandbox', () => {
  it('answers busy when no worker becomes free, and works afterwards', async () => {
    const small = createSandbox({ chains: 1, waitMs: 50, maxWaiting: 1 })
    const runs = [1, 2, 3].map(() => runIn(small)('for (;;);', { limits: { cpuMs: 300 } }))
    const outcomes = await Promise.all(runs)
    expect(outcomes.filter(({ error }) => error?.message.startsWith('The service is busy'))).toHaveLength(2)
    expect(outcomes.map(({ noThread }) => noThread)).toEqual([undefined, true, true])
    expect(await runIn(small)('return 1')).toMatchObject({ value: 1 })
    await small.close()
  })

  it('queues runs', async () => {
    const small = createSandbox({ chains: 1 })
    const outcomes = await Promise.all([1, 2, 3, 4, 5].map((n) => runIn(small)(`return ${n}`)))
    expect(outcomes.map(({ value }) => value)).toEqual([1, 2, 3, 4, 5])
    await small.close()
  })

  it('refuses a run that is nested too deeply', async () => {
    expect(await run('', { depth: 6 })).toMatchObject({
      status: 'error',
      error: { message: 'Scripts are nested deeper than 5 levels' },
    })
  })

  it('ends idle workers and starts new ones', async () => {
    const brief = createSandbox({ idleMs: 1, lastIdleMs: 1 })
    for (let i = 0; i < 3; i++) {
      expect(await runIn(brief)('return 1')).toMatchObject({ value: 1 })
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await brief.close()
  })

  it('answers busy after it is closed', async () => {
    const closed = createSandbox()
    await closed.close()
    expect(await runIn(closed)('')).toMatchObject({ status: 'stopped' })
  })

  it('rejects only for a defect of the service', async () => {
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    await expect(
      sandbox.run({ tenant: 1, source: checkSource(''), variables: { data: cyclic }, host: echoHost, depth: 0 }),
    ).rejects.toThrow(TypeError)
    expect(await run('return 1')).toMatchObject({ value: 1 })
  })
})
