import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { KinesisClient, PutRecordCommand, PutRecordsCommand } from '@aws-sdk/client-kinesis'
import { SESv2Client, SendEmailCommand, type SendEmailCommandInput } from '@aws-sdk/client-sesv2'
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns'
import { beforeEach, describe, expect, it } from 'vitest'
import { tinyCloud, type TinyCloud } from '../../../../make/services/tiny-cloud.ts'
import { tinyApi, tinyFunction, tinyTable } from '../../../../make/services/tiny-template.ts'

const resources = {
  Table: tinyTable(),
  IdleFunction: tinyFunction('idle'),
  ...tinyApi({ 'GET /idle': 'IdleFunction' }),
}
const code = 'export const idle = async () => ({})'

let cloud: TinyCloud
beforeEach(async () => {
  cloud = await tinyCloud({ resources, code })
})

const errorOf = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => undefined,
    (failure: Error) => failure,
  )
  if (!error) throw new Error('the call succeeded')
  return [error.name, error.message] as const
}
const left = () => cloud.outbox.list()

describe('SES', () => {
  const send = (input: SendEmailCommandInput) =>
    new SESv2Client(cloud.clientOptions('ses')).send(new SendEmailCommand(input))
  const simple = (Html: string) => ({ Simple: { Subject: { Data: 'Grüße' }, Body: { Html: { Data: Html } } } })
  const to = { ToAddresses: ['ada@example.com'] }

  it('keeps a simple mail, with subject, HTML and a source that a mail program could read', async () => {
    const { MessageId } = await send({
      FromEmailAddress: 'Desk <desk@acme.test>',
      Destination: { ...to, BccAddresses: ['eve@example.com'] },
      Content: simple('<p>Hello <b>Ada</b></p>'),
    })
    expect(left()).toMatchObject([
      {
        type: 'mail',
        provider: 'ses',
        from: expect.stringContaining('desk@acme.test'),
        to: ['ada@example.com', 'eve@example.com'],
        subject: 'Grüße',
        text: 'Hello Ada',
        html: '<p>Hello <b>Ada</b></p>',
        source: expect.stringMatching(/^To: ada@example\.com\r$/m),
        meta: { message_id: MessageId },
      },
    ])
    expect(left()[0]?.source).not.toContain('eve@')
  })

  it('keeps a raw mail as it is, to those of its headers when no destination is given', async () => {
    const raw =
      'From: desk@acme.test\r\nTo: Ada <ada@example.com>\r\nCc: bob@example.com\r\nSubject: Raw\r\n\r\nHello\r\n'
    await send({ Content: { Raw: { Data: Buffer.from(raw) } } })
    expect(left()).toMatchObject([
      {
        from: 'desk@acme.test',
        to: ['ada@example.com', 'bob@example.com'],
        subject: 'Raw',
        text: 'Hello',
        source: raw,
      },
    ])
  })

  const refused: [what: string, input: SendEmailCommandInput, name: string, message: RegExp][] = [
    ['no recipient', { FromEmailAddress: 'a@b.test', Content: simple('x') }, 'BadRequestException', /'To'/],
    ['no sender', { Destination: to, Content: simple('x') }, 'BadRequestException', /'From'/],
    [
      'no content',
      { FromEmailAddress: 'a@b.test', Destination: to, Content: {} },
      'BadRequestException',
      /Exactly one/,
    ],
    [
      'an address without a domain',
      { FromEmailAddress: 'a@b.test', Destination: { ToAddresses: ['ada'] }, Content: simple('x') },
      'BadRequestException',
      /@domain/,
    ],
    [
      'more than 50 recipients',
      {
        FromEmailAddress: 'a@b.test',
        Destination: { ToAddresses: Array<string>(51).fill('a@b.test') },
        Content: simple('x'),
      },
      'BadRequestException',
      /50/,
    ],
    [
      'a template',
      { FromEmailAddress: 'a@b.test', Destination: to, Content: { Template: { TemplateName: 'x' } } },
      'NotFoundException',
      /template/,
    ],
  ]
  it.each(refused)('refuses %s', async (_, input, name, message) => {
    expect(await errorOf(send(input))).toEqual([name, expect.stringMatching(message)])
    expect(left()).toEqual([])
  })
})

describe('SNS', () => {
  const publish = (input: ConstructorParameters<typeof PublishCommand>[0]) =>
    new SNSClient(cloud.clientOptions('sns')).send(new PublishCommand(input))

  it('keeps a text message, with its sender', async () => {
    const { MessageId } = await publish({
      PhoneNumber: '+4366012345',
      Message: 'Your code is <123> & more: ä=1',
      MessageAttributes: { 'AWS.SNS.SMS.SenderID': { DataType: 'String', StringValue: 'Acme' } },
    })
    expect(MessageId).toMatch(/^[\da-f-]{36}$/)
    expect(left()).toMatchObject([
      {
        type: 'sms',
        from: 'Acme',
        to: ['+4366012345'],
        text: 'Your code is <123> & more: ä=1',
        meta: { message_id: MessageId },
      },
    ])
  })

  it.each([
    [
      'a number without its country',
      { PhoneNumber: '0660 12345', Message: 'x' },
      'InvalidParameterException',
      /PhoneNumber/,
    ],
    ['no target', { Message: 'x' }, 'InvalidParameterException', /no value for required parameter/],
    ['an empty message', { PhoneNumber: '+4366012345', Message: '' }, 'InvalidParameterException', /Empty message/],
    [
      'a long message',
      { PhoneNumber: '+4366012345', Message: 'x'.repeat(1601) },
      'InvalidParameterException',
      /too long/,
    ],
    ['a topic', { TopicArn: 'arn:aws:sns:us-east-1:0:none', Message: 'x' }, 'NotFoundException', /Topic/],
  ])('refuses %s', async (_, input, name, message) => {
    expect(await errorOf(publish(input))).toEqual([name, expect.stringMatching(message)])
    expect(left()).toEqual([])
  })
})

describe('Kinesis', () => {
  const client = () => new KinesisClient(cloud.clientOptions('kinesis'))
  const data = (text: string) => Buffer.from(text)

  it('keeps records in the order in which they arrived', async () => {
    const one = await client().send(
      new PutRecordCommand({ StreamName: 'orders', PartitionKey: '7', Data: data('{"n":1}') }),
    )
    const many = await client().send(
      new PutRecordsCommand({
        StreamName: 'orders',
        Records: [
          { PartitionKey: '7', Data: data('{"n":2}') },
          { PartitionKey: '8', Data: data('{"n":3}') },
        ],
      }),
    )
    expect(many.FailedRecordCount).toBe(0)
    const numbers = [one, ...(many.Records ?? [])].map(({ SequenceNumber }) => BigInt(SequenceNumber ?? 0))
    expect(numbers).toEqual(numbers.toSorted((a, b) => (a < b ? -1 : 1)))
    expect(left().map(({ type, to, text, meta }) => [type, ...to, text, meta['partition_key']])).toEqual([
      ['stream', 'orders', '{"n":3}', '8'],
      ['stream', 'orders', '{"n":2}', '7'],
      ['stream', 'orders', '{"n":1}', '7'],
    ])
  })

  it.each([
    [
      'a record over 1 MiB',
      { StreamName: 'orders', PartitionKey: 'k', Data: Buffer.alloc(1024 * 1024) },
      'ValidationException',
      /data/,
    ],
    [
      'an empty partition key',
      { StreamName: 'orders', PartitionKey: '', Data: data('x') },
      'ValidationException',
      /partitionKey/,
    ],
    [
      'a name that no stream has',
      { StreamName: 'or ders', PartitionKey: 'k', Data: data('x') },
      'ValidationException',
      /streamName/,
    ],
    ['no stream', { PartitionKey: 'k', Data: data('x') }, 'InvalidArgumentException', /StreamName/],
  ])('refuses %s', async (_, input, name, message) => {
    expect(await errorOf(client().send(new PutRecordCommand(input)))).toEqual([name, expect.stringMatching(message)])
    expect(left()).toEqual([])
  })

  it('reports the records of a batch that a fault leaves out', async () => {
    cloud.faults.inject({ service: 'kinesis', action: 'leave-out' })
    const Records = ['a', 'b'].map((text) => ({ PartitionKey: 'k', Data: data(text) }))
    const { FailedRecordCount, Records: answers } = await client().send(
      new PutRecordsCommand({ StreamName: 's', Records }),
    )
    expect([FailedRecordCount, answers?.[1]?.ErrorCode]).toEqual([1, 'ProvisionedThroughputExceededException'])
    expect(left().map(({ text }) => text)).toEqual(['a'])
  })
})

describe('EventBridge', () => {
  const put = (...Entries: ConstructorParameters<typeof PutEventsCommand>[0]['Entries'] & object) =>
    new EventBridgeClient(cloud.clientOptions('events')).send(new PutEventsCommand({ Entries }))
  const event = { EventBusName: 'crm', Source: 'acme', DetailType: 'order.paid', Detail: '{"id":7}' }

  it('keeps an event as receivers see it', async () => {
    const { Entries } = await put({ ...event, Time: new Date('2026-11-22T08:00:00Z') })
    expect(left()).toMatchObject([
      { type: 'event', from: 'acme', to: ['crm'], subject: 'order.paid', text: '{"id":7}' },
    ])
    expect(JSON.parse(left()[0]?.source ?? '')).toEqual({
      id: Entries?.[0]?.EventId,
      source: 'acme',
      'detail-type': 'order.paid',
      time: '2026-11-22T08:00:00.000Z',
      resources: [],
      detail: { id: 7 },
    })
  })

  it('refuses a bad entry alone', async () => {
    const { FailedEntryCount, Entries } = await put({ ...event, Detail: 'no JSON' }, event, { ...event, Source: '' })
    expect([FailedEntryCount, Entries?.map(({ ErrorCode }) => ErrorCode)]).toEqual([
      2,
      ['MalformedDetail', undefined, 'InvalidArgument'],
    ])
    expect(left()).toHaveLength(1)
  })

  it('refuses entries of more than 256 KiB together, and more than ten', async () => {
    const large = { ...event, Detail: JSON.stringify({ x: 'x'.repeat(140_000) }) }
    expect((await errorOf(put(large, large)))[0]).toBe('ValidationException')
    expect((await errorOf(put(...Array.from({ length: 11 }, () => event))))[0]).toBe('ValidationException')
    expect(left()).toEqual([])
  })
})

describe('every provider', () => {
  it('is throttled by a fault, which the SDK retries', async () => {
    const fault = cloud.faults.inject({ service: 'sns', action: 'throttle', times: 2 })
    await new SNSClient(cloud.clientOptions('sns')).send(
      new PublishCommand({ PhoneNumber: '+4366012345', Message: 'x' }),
    )
    expect([fault.struck, left().length]).toEqual([2, 1])
  })
})
