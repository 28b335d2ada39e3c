import { describe, expect, it } from 'vitest'
import { amountOf } from '../../../../../../infra/local/sdk/meter/amount-of.ts'
import { openMeter } from '../../../../../../infra/local/sdk/meter/meter.ts'

const started = () => {
  const meter = openMeter()
  meter.start()
  return meter
}
const sent = (bytes: number) => amountOf('sqs', { QueueUrl: 'http://sqs/1/q', MessageBody: 'x'.repeat(bytes) }, [])

describe('a meter', () => {
  it('tells functions, tables and indexes apart, and adds them up', () => {
    const meter = started()
    const call = { service: 'dynamodb', operation: 'PutItem', bytes: 150 }
    meter.countCall({
      ...call,
      functionName: 'a',
      charges: [
        { kind: 'write', table: 'T', units: 1, bytes: 100 },
        { kind: 'write', table: 'T', index: 'slot01', units: 2, bytes: 50 },
      ],
    })
    meter.countCall({ ...call, functionName: 'b', charges: [{ kind: 'read', table: 'T', units: 0.5, bytes: 150 }] })
    const { functions, total } = meter.stop()
    expect(functions['a']).toMatchObject({ readUnits: 0, writeUnits: 3 })
    expect(functions['b']).toMatchObject({ readUnits: 0.5, writeUnits: 0 })
    expect(total).toMatchObject({
      readUnits: 0.5,
      writeUnits: 3,
      units: { T: { readUnits: 0.5, writeUnits: 1 }, 'T/slot01': { readUnits: 0, writeUnits: 2 } },
      operations: { 'dynamodb.PutItem': { requests: 2, bytes: 300, readUnits: 0.5, writeUnits: 3 } },
    })
  })

  it('bills memory for the duration, rounded up to a millisecond', () => {
    const meter = started()
    meter.countInvocation('a', 0.2, 512)
    meter.countInvocation('a', 9.5, 512)
    expect(meter.stop().total).toMatchObject({ invocations: 2, durationMs: 9.7, gbSeconds: 0.0055 })
  })

  it.each([
    [0, 1],
    [64 * 1024, 1],
    [64 * 1024 + 1, 2],
    [256 * 1024, 4],
  ])('bills a message of %d bytes as %d requests', (bytes, requests) => {
    const meter = started()
    meter.countCall({ functionName: 'a', service: 'sqs', operation: 'SendMessage', charges: [], ...sent(bytes) })
    expect(meter.stop().total.queues).toEqual({ q: requests })
  })

  it.each([
    [1, 2],
    [10, 2],
    [11, 4],
    [100, 20],
  ])('bills %d messages as %d requests of the poller, ten messages a call', (messages, requests) => {
    const meter = started()
    meter.countMessages('a', 'q', Array<string>(messages).fill('x'))
    expect(meter.stop().total.queues).toEqual({ q: requests })
  })

  it('bills requests to the API by steps of 512 KB of the larger of event and answer', () => {
    const meter = started()
    meter.countExchange('a', 100, '')
    meter.countExchange('a', 100, Buffer.alloc(512 * 1024 + 1))
    expect(meter.stop().total.http).toMatchObject({ requests: 3, receivedBytes: 200 })
  })

  it('starts at zero each time', () => {
    const meter = started()
    meter.countStreamRead('a', 10)
    meter.start()
    expect(meter.stop()).toMatchObject({ functions: {}, total: { operations: {} } })
  })
})
