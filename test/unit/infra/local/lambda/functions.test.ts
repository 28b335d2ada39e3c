import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { tinyCloud } from '../../../../make/services/tiny-cloud.ts'
import type { TinyCloud } from '../../../../make/services/tiny-cloud.ts'
import { tinyApi, tinyFunction, tinyTable } from '../../../../make/services/tiny-template.ts'
import type { Resources } from '../../../../make/services/tiny-template.ts'

const functionsOf = (code: string, names: string[], more: Resources = {}, Timeout = 3): Promise<TinyCloud> => {
  const functions = names.map((name) => [
    `${name}Function`,
    tinyFunction(name, { Variables: { NAME: name }, Timeout, MemorySize: 256 }),
  ])
  return tinyCloud({ code, resources: { Table: tinyTable(), ...Object.fromEntries(functions), ...more } })
}

describe('a function', () => {
  it('sees only its own environment, during import and invocations', async () => {
    process.env['ONLY_HERE'] = 'outside'
    const code = `
      import { env } from 'node:process'
      const imported = process.env.NAME
      const later = () => new Promise((resolve) => setTimeout(() => resolve(process.env.NAME), 5))
      const seen = async () => ({
        imported, now: process.env.NAME, later: await later(), named: env.NAME, outside: process.env.ONLY_HERE ?? 'nothing', region: process.env.AWS_REGION,
        has: 'NAME' in process.env, keys: Object.keys(process.env).includes('NAME'), copied: { ...process.env }.NAME, lambda: process.env.AWS_LAMBDA_FUNCTION_NAME,
      })
      export const first = seen, second = seen`
    const cloud = await functionsOf(code, ['first', 'second'])
    const [first, second] = (await Promise.all([cloud.invoke('first'), cloud.invoke('second')])) as Record<
      string,
      unknown
    >[]
    for (const [name, seen] of [
      ['first', first],
      ['second', second],
    ] as const) {
      expect(seen).toEqual({
        imported: name,
        now: name,
        later: name,
        named: name,
        outside: 'nothing',
        region: 'us-east-1',
        has: true,
        keys: true,
        copied: name,
        lambda: `${name}Function`,
      })
    }
    expect(process.env['NAME']).toBeUndefined()
    expect(process.env['ONLY_HERE']).toBe('outside')
    delete process.env['ONLY_HERE']
  })

  it('gets its own context and event', async () => {
    const code = `export const tell = async (event, context) => {
      const given = JSON.parse(JSON.stringify({ event, context, left: context.getRemainingTimeInMillis() }))
      event.list.push('changed')
      return given
    }`
    const cloud = await functionsOf(code, ['tell'])
    const event = { list: [1], gone: undefined, at: new Date(0) }
    const {
      context,
      left,
      event: given,
    } = (await cloud.invoke('tell', event)) as { context: object; left: number; event: object }
    expect(given).toEqual({ list: [1], at: '1970-01-01T00:00:00.000Z' })
    expect(event.list).toEqual([1])
    expect(context).toMatchObject({
      functionName: 'tellFunction',
      functionVersion: '$LATEST',
      memoryLimitInMB: '256',
      invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:tellFunction',
      logGroupName: '/aws/lambda/tellFunction',
      awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(left).toBeGreaterThan(2_900)
    expect(left).toBeLessThanOrEqual(3_000)
  })

  it('keeps its module state between invocations, and loses it after a timeout', async () => {
    const code = `let count = 0; export const count_ = async (event) => (count++, event.hang ? new Promise(() => {}) : count)`
    const cloud = await functionsOf(code, ['count_'], {}, 0.1)
    expect([await cloud.invoke('count_'), await cloud.invoke('count_')]).toEqual([1, 2])
    await expect(cloud.invoke('count_', { hang: true })).rejects.toThrow('Task timed out after 0.10 seconds')
    expect(await cloud.invoke('count_')).toBe(1)
  })

  it('that cannot be imported fails every invocation with the reason', async () => {
    const cloud = await functionsOf(`throw new Error('broken bundle')`, ['broken'])
    for (let invocation = 0; invocation < 2; invocation++)
      await expect(cloud.invoke('broken')).rejects.toThrow('broken bundle')
  })

  it('is found by name, logical id or prefix', async () => {
    const cloud = await functionsOf('export const FanOut = async () => 1, FanIn = async () => 2', ['FanOut', 'FanIn'])
    expect([await cloud.invoke('fan-out'), await cloud.invoke('FanInFunction')]).toEqual([1, 2])
    await expect(cloud.invoke('fan')).rejects.toThrow('More than one function is called fan.')
    await expect(cloud.invoke('nothing')).rejects.toThrow(
      'No function is called nothing. There are: FanOutFunction, FanInFunction.',
    )
  })

  it('runs in several clouds at once, each with its own data', async () => {
    const put = `
      import { DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
      const table = new DynamoDBClient(globalThis[Symbol.for('process-host')].clientOptions('dynamodb'))
      export const keep = async ({ sk }) => {
        await table.send(new PutItemCommand({ TableName: 'Table', Item: { pk: { S: 'p' }, sk: { S: sk } } }))
        return (await table.send(new ScanCommand({ TableName: 'Table' }))).Items.map((item) => item.sk.S)
      }`
    const clouds = await Promise.all([functionsOf(put, ['keep']), functionsOf(put, ['keep'])])
    expect(await Promise.all(clouds.map((cloud, at) => cloud.invoke('keep', { sk: `cloud ${at}` })))).toEqual([
      ['cloud 0'],
      ['cloud 1'],
    ])
  })
})

const callers = `
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
const table = new DynamoDBClient({ logger: {}, ...globalThis[Symbol.for('process-host')].clientOptions('dynamodb') })
const key = (sk) => ({ pk: { S: 'p' }, sk: { S: sk } })
const get = (sk) => table.send(new GetItemCommand({ TableName: 'Table', Key: key(sk), ConsistentRead: true }))
export const read = async () => {
  await get('first')
  await Promise.all([get('a'), get('b'), get('c')])
  await get('last')
  return { statusCode: 200 }
}
let instance = 0
export const write = async () => {
  instance++
  const { Attributes } = await table.send(new PutItemCommand({ TableName: 'Table', Item: { ...key('w'), at: { N: String(Date.now()) } }, ReturnValues: 'ALL_OLD' }))
  return { existed: Attributes !== undefined, instance }
}
export const peek = async () => ({ exists: (await get('w')).Item !== undefined })
`

describe('provider calls', () => {
  it('are counted by request, with their round trips', async () => {
    const cloud = await functionsOf(callers, ['read'], tinyApi({ 'GET /read': 'readFunction' }))
    await fetch(`${cloud.url}/read`)
    cloud.recordCalls()
    const [answer] = await Promise.all([fetch(`${cloud.url}/read`), fetch(`${cloud.url}/read`)])
    const { calls, roundTrips } = cloud.callsOf(answer!.headers.get('apigw-requestid')!)
    expect(calls).toHaveLength(5)
    expect(calls[0]).toMatchObject({
      service: 'dynamodb',
      operation: 'GetItem',
      functionName: 'readFunction',
      input: { TableName: 'Table' },
    })
    expect(roundTrips).toBe(3)
    expect(cloud.callsOf().calls).toHaveLength(10)
    cloud.recordCalls(false)
    await fetch(`${cloud.url}/read`)
    expect(cloud.callsOf().calls).toEqual([])
  })
})

describe('a fault', () => {
  const put = { service: 'dynamodb', operation: 'PutItem' } as const
  const faulty = (): Promise<TinyCloud> => functionsOf(callers, ['write', 'peek'])
  const exists = async (cloud: TinyCloud): Promise<unknown> =>
    ((await cloud.invoke('peek')) as { exists: boolean }).exists

  it('crash-before ends the function before the call takes effect', async () => {
    const cloud = await faulty()
    cloud.faults.inject({ ...put, action: 'crash-before' })
    await expect(cloud.invoke('write')).rejects.toThrow('Runtime exited')
    expect(await exists(cloud)).toBe(false)
  })

  it('crash-after ends it afterwards, and the next invocation gets a new instance', async () => {
    const cloud = await faulty()
    expect(await cloud.invoke('write')).toMatchObject({ instance: 1 })
    cloud.faults.inject({ ...put, action: 'crash-after' })
    await expect(cloud.invoke('write')).rejects.toThrow('Runtime exited')
    expect(await cloud.invoke('write')).toEqual({ existed: true, instance: 1 })
  })

  it('a crash ends all invocations of the instance, so that none waits for another for ever', async () => {
    const code = `${callers}
      let shared
      export const both = async () => (shared ??= write())`
    const cloud = await functionsOf(code, ['both', 'peek'])
    cloud.faults.inject({ ...put, action: 'crash-before' })
    const outcomes = await Promise.allSettled([cloud.invoke('both'), cloud.invoke('both')])
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.message)).toEqual(
      Array(2).fill(expect.stringContaining('Runtime exited')),
    )
    expect(await cloud.invoke('both')).toMatchObject({ existed: false })
  })

  it('lose-answer breaks the connection after the call took effect, and the SDK retries', async () => {
    const cloud = await faulty()
    cloud.faults.inject({ ...put, action: 'lose-answer' })
    expect(await cloud.invoke('write')).toMatchObject({ existed: true })
  })

  it('throttle rejects the call, and the SDK retries', async () => {
    const cloud = await faulty()
    const fault = cloud.faults.inject({ ...put, action: 'throttle' })
    expect(await cloud.invoke('write')).toMatchObject({ existed: false })
    expect(fault.struck).toBe(1)
  })

  it('repeat makes the call twice', async () => {
    const cloud = await faulty()
    cloud.faults.inject({ ...put, action: 'repeat' })
    expect(await cloud.invoke('write')).toMatchObject({ existed: true })
  })

  it('delay holds the call for a time or until a promise resolves', async () => {
    const cloud = await faulty()
    const { promise, resolve } = Promise.withResolvers<void>()
    cloud.faults.inject({ ...put, action: { delay: promise } })
    const writing = cloud.invoke('write')
    expect(await exists(cloud)).toBe(false)
    resolve()
    await writing
    expect(await exists(cloud)).toBe(true)
  })

  it('applies to the matching call, once', async () => {
    const cloud = await faulty()
    const other = cloud.faults.inject({ ...put, functionName: 'peekFunction', action: 'crash-before' })
    const fault = cloud.faults.inject({
      ...put,
      skip: 1,
      when: ({ input }) => (input as { Item: { sk: { S: string } } }).Item.sk.S === 'w',
      action: 'crash-before',
    })
    await cloud.invoke('write')
    await expect(cloud.invoke('write')).rejects.toThrow('Runtime exited')
    await cloud.invoke('write')
    expect([other.struck, fault.struck]).toEqual([0, 1])
    cloud.faults.clear()
  })

  it('for a function does not apply to calls made outside functions', async () => {
    const cloud = await faulty()
    cloud.faults.inject({ ...put, functionName: 'writeFunction', action: 'crash-before' })
    const client = new DynamoDBClient(cloud.clientOptions('dynamodb'))
    await client.send(new PutItemCommand({ TableName: 'Table', Item: { pk: { S: 'p' }, sk: { S: 'w' } } }))
    expect(await exists(cloud)).toBe(true)
  })
})

describe('stopping', () => {
  it('takes seconds, and leaves running functions without answers', async () => {
    const code = `export const hang = () => new Promise(() => {})`
    const cloud = await functionsOf(code, ['hang'], tinyApi({ 'GET /hang': 'hangFunction' }))
    const hanging = fetch(`${cloud.url}/hang`).catch((error: Error) => error)
    while ((await fetch(`${cloud.url}/`)).status !== 404);
    const start = performance.now()
    await cloud.stop()
    expect(performance.now() - start).toBeLessThan(20_000)
    await hanging
  })

  it('answers requests in flight', async () => {
    const code = `export const slow = () => {
      globalThis.hasSlowBegun = true
      return new Promise((resolve) => setTimeout(() => resolve('done'), 100))
    }`
    const cloud = await functionsOf(code, ['slow'], tinyApi({ 'GET /slow': 'slowFunction' }))
    const slow = fetch(`${cloud.url}/slow`)
    await expect.poll(() => 'hasSlowBegun' in globalThis, { interval: 2 }).toBe(true)
    await cloud.stop()
    expect(await (await slow).text()).toBe('done')
  })
})
