import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openStorage } from '../../infra/local/runtime/storage/storage.ts'
import type { Storage } from '../../infra/local/runtime/storage/storage.ts'
import { openTimeline } from '../../infra/local/runtime/timing/timeline.ts'
import type { QueueDefinition } from '../../infra/local/sqs/queue.ts'
import { openQueues } from '../../infra/local/sqs/queues.ts'
import type { Queues } from '../../infra/local/sqs/queues.ts'
import { runs } from '../make/depth.ts'

const accountId = '000000000000'

function definition(name: string, more: Partial<QueueDefinition> = {}): QueueDefinition {
  return {
    name,
    arn: `arn:aws:sqs:us-east-1:${accountId}:${name}`,
    fifo: name.endsWith('.fifo'),
    contentBasedDeduplication: false,
    visibilityMs: 30_000,
    delayMs: 0,
    receiveWaitMs: 0,
    retentionMs: 345_600_000,
    maxMessageBytes: 1_048_576,
    ...more,
  }
}

interface TestQueues {
  readonly queues: Queues
  readonly storage: Storage
  clock: { now: number }
  call(operation: string, queue: string, input?: object): Promise<any>
  bodies(queue: string, input?: object): Promise<string[]>
}

async function openTestQueues(definitions: QueueDefinition[], storage?: Storage): Promise<TestQueues> {
  const store = storage ?? (await openStorage(':memory:'))
  const clock = { now: Date.UTC(2026, 10, 20) }
  const queues = await openQueues(
    store,
    definitions,
    openTimeline(() => clock.now),
  )
  onTestFinished(() => queues.close())
  const call = (operation: string, queue: string, input: object = {}): Promise<any> =>
    queues.call(operation, { QueueUrl: `http://sqs.in-process/${accountId}/${queue}`, ...input })
  return {
    queues,
    storage: store,
    clock,
    call,
    async bodies(queue, input = {}) {
      const { Messages = [] } = await call('ReceiveMessage', queue, { MaxNumberOfMessages: 10, ...input })
      return Messages.map(({ Body }: { Body: string }) => Body)
    },
  }
}

const codeOf = (error: any): string => error.body.__type.split('#')[1]
const refusal = (promise: Promise<unknown>): Promise<string> => promise.then(() => 'accepted', codeOf)

describe('a standard queue', () => {
  it('lets the groups of its messages take turns, so that none waits for a long one', async () => {
    const { call, bodies } = await openTestQueues([definition('work')])
    const send = (MessageBody: string, MessageGroupId?: string) =>
      call('SendMessage', 'work', { MessageBody, MessageGroupId })
    for (const n of [1, 2, 3, 4]) await send(`noisy ${n}`, 'noisy')
    await send('quiet 1', 'quiet')
    await send('alone')
    await send('quiet 2', 'quiet')
    expect(await bodies('work')).toEqual(['noisy 1', 'quiet 1', 'alone', 'noisy 2', 'quiet 2', 'noisy 3', 'noisy 4'])
  })

  it('hides a received message for its visibility timeout, and counts receives', async () => {
    const { call, clock } = await openTestQueues([definition('work')])
    await call('SendMessage', 'work', { MessageBody: 'a' })
    const first = await call('ReceiveMessage', 'work', { AttributeNames: ['ApproximateReceiveCount'] })
    expect(first.Messages[0]).toMatchObject({ Body: 'a', Attributes: { ApproximateReceiveCount: '1' } })
    expect(await call('ReceiveMessage', 'work')).toEqual({})
    clock.now += 30_001
    const second = await call('ReceiveMessage', 'work', { AttributeNames: ['All'] })
    expect(second.Messages[0].Attributes.ApproximateReceiveCount).toBe('2')
  })

  it('never delivers a deleted message again', async () => {
    const { call, clock, bodies } = await openTestQueues([definition('work')])
    await call('SendMessage', 'work', { MessageBody: 'a' })
    const { Messages } = await call('ReceiveMessage', 'work')
    await call('DeleteMessage', 'work', { ReceiptHandle: Messages[0].ReceiptHandle })
    clock.now += 60_000
    expect(await bodies('work')).toEqual([])
  })

  it('ignores a delete by a handle whose message was received again', async () => {
    const { call, clock, bodies } = await openTestQueues([definition('work')])
    await call('SendMessage', 'work', { MessageBody: 'a' })
    const { Messages } = await call('ReceiveMessage', 'work')
    clock.now += 31_000
    await bodies('work')
    await call('DeleteMessage', 'work', { ReceiptHandle: Messages[0].ReceiptHandle })
    clock.now += 31_000
    expect(await bodies('work')).toEqual(['a'])
  })

  it('holds a delayed message back', async () => {
    const { call, clock, bodies } = await openTestQueues([definition('work')])
    await call('SendMessage', 'work', { MessageBody: 'later', DelaySeconds: 5 })
    expect(await bodies('work')).toEqual([])
    clock.now += 5_001
    expect(await bodies('work')).toEqual(['later'])
  })

  it('makes a message visible at once when its visibility timeout is set to 0', async () => {
    const { call, bodies } = await openTestQueues([definition('work')])
    await call('SendMessage', 'work', { MessageBody: 'a' })
    const { Messages } = await call('ReceiveMessage', 'work')
    await call('ChangeMessageVisibility', 'work', { ReceiptHandle: Messages[0].ReceiptHandle, VisibilityTimeout: 0 })
    expect(await bodies('work')).toEqual(['a'])
  })

  it('changes the visibility of several messages, and names those that it cannot', async () => {
    const { call, bodies, clock } = await openTestQueues([definition('work')])
    for (const MessageBody of ['a', 'b']) await call('SendMessage', 'work', { MessageBody })
    const { Messages } = await call('ReceiveMessage', 'work', { MaxNumberOfMessages: 2 })
    const [first, second] = Messages.map(({ ReceiptHandle }: { ReceiptHandle: string }) => ReceiptHandle)
    const answer = await call('ChangeMessageVisibilityBatch', 'work', {
      Entries: [
        { Id: '0', ReceiptHandle: first, VisibilityTimeout: 0 },
        { Id: '1', ReceiptHandle: second, VisibilityTimeout: 5 },
        { Id: '2', ReceiptHandle: '9-1', VisibilityTimeout: 5 },
      ],
    })
    expect(answer.Successful).toEqual([{ Id: '0' }, { Id: '1' }])
    expect(answer.Failed).toMatchObject([{ Id: '2', Code: 'MessageNotInflight', SenderFault: true }])
    expect(await bodies('work')).toEqual([Messages[0].Body])
    clock.now += 5_001
    expect(await bodies('work')).toEqual([Messages[1].Body])
  })

  it('answers a long poll as soon as a message arrives', async () => {
    const { call, bodies } = await openTestQueues([definition('work')])
    const waiting = bodies('work', { WaitTimeSeconds: 20 })
    await call('SendMessage', 'work', { MessageBody: 'a' })
    expect(await waiting).toEqual(['a'])
  })

  it('moves a message to the dead-letter queue after too many receives', async () => {
    const dead = definition('dead')
    const { call, clock, bodies } = await openTestQueues([
      definition('work', { redrive: { deadLetterArn: dead.arn, maxReceiveCount: 2 } }),
      dead,
    ])
    await call('SendMessage', 'work', { MessageBody: 'poison' })
    for (const received of [['poison'], ['poison'], []]) {
      expect(await bodies('work')).toEqual(received)
      clock.now += 30_001
    }
    const waiting = await call('ReceiveMessage', 'dead', { WaitTimeSeconds: 1, AttributeNames: ['All'] })
    expect(waiting.Messages[0]).toMatchObject({
      Body: 'poison',
      Attributes: { DeadLetterQueueSourceArn: expect.stringContaining(':work') },
    })
    expect((await call('GetQueueAttributes', 'work', { AttributeNames: ['All'] })).Attributes).toMatchObject({
      ApproximateNumberOfMessages: '0',
      ApproximateNumberOfMessagesNotVisible: '0',
    })
  })

  it('deletes messages past their retention period', async () => {
    const { call, clock, bodies } = await openTestQueues([definition('work', { retentionMs: 60_000 })])
    await call('SendMessage', 'work', { MessageBody: 'old' })
    clock.now += 61_000
    expect(await bodies('work')).toEqual([])
  })

  it('is empty after a purge', async () => {
    const { call, bodies } = await openTestQueues([definition('work')])
    for (const MessageBody of ['a', 'b']) await call('SendMessage', 'work', { MessageBody })
    await call('PurgeQueue', 'work')
    expect(await bodies('work')).toEqual([])
  })

  it('returns the requested message attributes', async () => {
    const { call } = await openTestQueues([definition('work')])
    await call('SendMessage', 'work', {
      MessageBody: 'a',
      MessageAttributes: { kind: { DataType: 'String', StringValue: 'mail' } },
    })
    const { Messages } = await call('ReceiveMessage', 'work', { MessageAttributeNames: ['All'] })
    expect(Messages[0].MessageAttributes).toEqual({ kind: { DataType: 'String', StringValue: 'mail' } })
  })
})

describe('a FIFO queue', () => {
  const send = ({ call }: TestQueues, MessageGroupId: string, MessageBody: string): Promise<any> =>
    call('SendMessage', 'work.fifo', { MessageBody, MessageGroupId, MessageDeduplicationId: MessageBody })

  it('keeps the order of a group, and blocks it while one of its messages is in flight', async () => {
    const made = await openTestQueues([definition('work.fifo')])
    for (const [group, body] of [
      ['a', 'a1'],
      ['a', 'a2'],
      ['b', 'b1'],
    ] as const)
      await send(made, group, body)
    const { Messages } = await made.call('ReceiveMessage', 'work.fifo')
    expect(Messages[0].Body).toBe('a1')
    expect(await made.bodies('work.fifo')).toEqual(['b1'])
    await made.call('DeleteMessage', 'work.fifo', { ReceiptHandle: Messages[0].ReceiptHandle })
    expect(await made.bodies('work.fifo')).toEqual(['a2'])
  })

  it('redelivers a failed message before later ones of its group', async () => {
    const made = await openTestQueues([definition('work.fifo')])
    for (const body of ['a1', 'a2', 'a3']) await send(made, 'a', body)
    expect(await made.bodies('work.fifo', { MaxNumberOfMessages: 2 })).toEqual(['a1', 'a2'])
    made.clock.now += 30_001
    expect(await made.bodies('work.fifo')).toEqual(['a1', 'a2', 'a3'])
  })

  it('answers a repeated deduplication id with the first message, for five minutes', async () => {
    const made = await openTestQueues([definition('work.fifo')])
    const first = await send(made, 'a', 'once')
    const again = await send(made, 'a', 'once')
    expect(again).toEqual(first)
    expect(await made.bodies('work.fifo')).toEqual(['once'])
    made.clock.now += 5 * 60_000 + 1
    expect((await send(made, 'a', 'once')).MessageId).not.toBe(first.MessageId)
  })

  it('deduplicates by content when configured', async () => {
    const { call, bodies } = await openTestQueues([definition('work.fifo', { contentBasedDeduplication: true })])
    for (const MessageBody of ['same', 'same', 'other'])
      await call('SendMessage', 'work.fifo', { MessageBody, MessageGroupId: 'a' })
    expect(await bodies('work.fifo')).toEqual(['same', 'other'])
  })

  it('rejects the delete of a message that was received again', async () => {
    const made = await openTestQueues([definition('work.fifo')])
    await send(made, 'a', 'a1')
    const { Messages } = await made.call('ReceiveMessage', 'work.fifo')
    made.clock.now += 31_000
    await made.bodies('work.fifo')
    expect(await refusal(made.call('DeleteMessage', 'work.fifo', { ReceiptHandle: Messages[0].ReceiptHandle }))).toBe(
      'InvalidParameterValue',
    )
  })

  it('delivers every message once and each group in order, whatever the consumers do', async () => {
    const group = fc.constantFrom('a', 'b', 'c')
    const step = fc.record({
      take: fc.integer({ min: 1, max: 4 }),
      outcome: fc.constantFrom('delete', 'release', 'keep silent'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(group, { maxLength: 15 }), fc.array(step, { maxLength: 15 }), async (groups, steps) => {
        const made = await openTestQueues([definition('work.fifo')])
        const queue = made.queues.get('work.fifo')!
        for (const [at, name] of groups.entries()) await send(made, name, `${name}${at}`)
        const done: string[] = []
        const consume = async ({ take, outcome }: { take: number; outcome: string }): Promise<void> => {
          const messages = queue.take(take)
          if (outcome === 'delete') {
            done.push(...messages.map(({ body }) => body))
            await queue.delete(messages.map(({ handle }) => handle))
          }
          if (outcome === 'release') for (const { handle } of messages) await queue.changeVisibility(handle, 0)
        }
        for (const each of steps) await consume(each)
        made.clock.now += 60_000
        for (let left = groups.length - done.length; left > 0; left--) await consume({ take: 10, outcome: 'delete' })
        for (const name of ['a', 'b', 'c']) {
          const sent = groups.flatMap((each, at) => (each === name ? [`${name}${at}`] : []))
          expect(done.filter((body) => body.startsWith(name))).toEqual(sent)
        }
        expect(queue.counts).toEqual({ visible: 0, inFlight: 0, delayed: 0 })
      }),
      { numRuns: runs(50) },
    )
  })
})

describe('a queue rejects', () => {
  const fifo = { MessageGroupId: 'g', MessageDeduplicationId: 'd' }
  it.each<[string, string, string, object, string]>([
    ['a character XML does not allow', 'SendMessage', 'work', { MessageBody: 'a\u0000b' }, 'InvalidMessageContents'],
    ['half a surrogate pair', 'SendMessage', 'work', { MessageBody: 'a\ud83d' }, 'InvalidMessageContents'],
    ['more than 1 MiB', 'SendMessage', 'work', { MessageBody: 'é'.repeat(524_289) }, 'InvalidParameterValue'],
    [
      'a delay over 15 minutes',
      'SendMessage',
      'work',
      { MessageBody: 'a', DelaySeconds: 901 },
      'InvalidParameterValue',
    ],
    ['an empty body', 'SendMessage', 'work', { MessageBody: '' }, 'MissingParameter'],
    [
      'a FIFO message without group',
      'SendMessage',
      'work.fifo',
      { MessageBody: 'a', MessageDeduplicationId: 'd' },
      'MissingParameter',
    ],
    [
      'a FIFO message without deduplication id',
      'SendMessage',
      'work.fifo',
      { MessageBody: 'a', MessageGroupId: 'g' },
      'InvalidParameterValue',
    ],
    [
      'a delay of one FIFO message',
      'SendMessage',
      'work.fifo',
      { MessageBody: 'a', DelaySeconds: 1, ...fifo },
      'InvalidParameterValue',
    ],
    ['an empty batch', 'SendMessageBatch', 'work', { Entries: [] }, 'EmptyBatchRequest'],
    [
      'eleven messages at once',
      'SendMessageBatch',
      'work',
      { Entries: Array.from({ length: 11 }, (_, at) => ({ Id: `${at}`, MessageBody: 'a' })) },
      'TooManyEntriesInBatchRequest',
    ],
    [
      'the same id twice',
      'SendMessageBatch',
      'work',
      { Entries: ['a', 'a'].map((Id) => ({ Id, MessageBody: 'a' })) },
      'BatchEntryIdsNotDistinct',
    ],
    [
      'a batch over 1 MiB',
      'SendMessageBatch',
      'work',
      { Entries: ['a', 'b'].map((Id) => ({ Id, MessageBody: 'x'.repeat(600_000) })) },
      'BatchRequestTooLong',
    ],
    ['to receive eleven', 'ReceiveMessage', 'work', { MaxNumberOfMessages: 11 }, 'InvalidParameterValue'],
    ['a handle it never gave', 'DeleteMessage', 'work', { ReceiptHandle: 'nonsense' }, 'ReceiptHandleIsInvalid'],
    [
      'to hide a message that is not in flight',
      'ChangeMessageVisibility',
      'work',
      { ReceiptHandle: '1-1', VisibilityTimeout: 5 },
      'MessageNotInflight',
    ],
    ['a queue that does not exist', 'SendMessage', 'nowhere', { MessageBody: 'a' }, 'QueueDoesNotExist'],
    ['an operation it does not run', 'AddPermission', 'work', {}, 'UnsupportedOperation'],
  ])('%s', async (_, operation, queue, input, code) => {
    const { call } = await openTestQueues([definition('work'), definition('work.fifo')])
    expect(await refusal(call(operation, queue, input))).toBe(code)
  })

  it('single entries of a batch, and accepts the others', async () => {
    const { call, bodies } = await openTestQueues([definition('work')])
    const answer = await call('SendMessageBatch', 'work', {
      Entries: [
        { Id: 'good', MessageBody: 'a' },
        { Id: 'bad', MessageBody: '\u0001' },
      ],
    })
    expect(answer.Successful).toMatchObject([{ Id: 'good' }])
    expect(answer.Failed).toMatchObject([{ Id: 'bad', Code: 'InvalidMessageContents', SenderFault: true }])
    expect(await bodies('work')).toEqual(['a'])
  })
})

describe('after a restart a queue', () => {
  async function onDisk(): Promise<() => Promise<Storage>> {
    const folder = await mkdtemp(join(tmpdir(), 'queues-'))
    let open: Storage | undefined
    onTestFinished(async () => {
      await open?.close()
      await rm(folder, { recursive: true, force: true })
    })
    return async () => {
      await open?.close()
      return (open = await openStorage(folder, { sync: false }))
    }
  }

  it('makes unfinished messages visible with their receive counts, so that poison messages still reach the dead-letter queue', async () => {
    const reopen = await onDisk()
    const dead = definition('dead')
    const definitions = [definition('work', { redrive: { deadLetterArn: dead.arn, maxReceiveCount: 2 } }), dead]
    for (let run = 1; run <= 2; run++) {
      const { call } = await openTestQueues(definitions, await reopen())
      if (run === 1) await call('SendMessage', 'work', { MessageBody: 'poison' })
      const { Messages } = await call('ReceiveMessage', 'work', { AttributeNames: ['All'] })
      expect(Messages[0].Attributes.ApproximateReceiveCount).toBe(String(run))
      await call('ChangeMessageVisibility', 'work', {
        ReceiptHandle: Messages[0].ReceiptHandle,
        VisibilityTimeout: 600,
      })
    }
    const { bodies } = await openTestQueues(definitions, await reopen())
    expect(await bodies('work')).toEqual([])
    expect(await bodies('dead', { WaitTimeSeconds: 1 })).toEqual(['poison'])
  })

  it('counts each receive of a message that ends the process, so that it ends it so often at most', async () => {
    const reopen = await onDisk()
    const dead = definition('dead')
    const definitions = [definition('work', { redrive: { deadLetterArn: dead.arn, maxReceiveCount: 2 } }), dead]
    const first = await openTestQueues(definitions, await reopen())
    await first.call('SendMessage', 'work', { MessageBody: 'deadly' })
    // The first receive is not counted: nobody knows yet that a process ends during it.
    const received = [(await first.bodies('work')).length]
    for (let run = 2; run <= 5; run++) {
      const { bodies } = await openTestQueues(definitions, await reopen())
      received.push((await bodies('work')).length)
    }
    expect(received).toEqual([1, 1, 1, 0, 0])
    const { bodies } = await openTestQueues(definitions, await reopen())
    expect(await bodies('dead')).toEqual(['deadly'])
  })

  it('still deduplicates the last five minutes', async () => {
    const reopen = await onDisk()
    const once = { MessageBody: 'a', MessageGroupId: 'g', MessageDeduplicationId: 'once' }
    const first = await (
      await openTestQueues([definition('work.fifo')], await reopen())
    ).call('SendMessage', 'work.fifo', once)
    const again = await openTestQueues([definition('work.fifo')], await reopen())
    expect(await again.call('SendMessage', 'work.fifo', once)).toEqual(first)
    expect(await again.bodies('work.fifo')).toEqual(['a'])
  })
})

it('holds 20,000 messages without their bodies in memory', async () => {
  const { queues, storage } = await openTestQueues([definition('work')])
  const queue = queues.get('work')!
  let read = 0
  const { get } = storage
  storage.get = (key) => (read++, get(key))
  await Promise.all(
    Array.from({ length: 200 }, () =>
      queue.send(Array.from({ length: 100 }, (_, at) => ({ body: `${at} ${'x'.repeat(500)}` }))),
    ),
  )
  expect(queue.counts.visible).toBe(20_000)
  expect(queue.take(10)).toHaveLength(10)
  expect(read).toBe(10)
})
