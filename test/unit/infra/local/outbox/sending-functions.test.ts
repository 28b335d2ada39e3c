import { expect, it } from 'vitest'
import { scriptedReceiver } from '../../../../make/services/servers/scripted-receiver.ts'
import { tinyCloud } from '../../../../make/services/tiny-cloud.ts'
import { arnOf, tinyFunction, tinyTable } from '../../../../make/services/tiny-template.ts'

it('a function is denied by each provider what its role does not allow', async () => {
  const policy = { Statement: [{ Effect: 'Allow', Action: 'sns:Publish', Resource: '*' }] }
  const cloud = await tinyCloud({
    resources: {
      Table: tinyTable(),
      Role: { Type: 'AWS::IAM::Role', Properties: {} },
      Policy: { Type: 'AWS::IAM::Policy', Properties: { PolicyDocument: policy, Roles: [{ Ref: 'Role' }] } },
      SendFunction: tinyFunction('send', { Role: arnOf('Role') }),
    },
    code: `
      import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
      import { KinesisClient, PutRecordCommand } from '@aws-sdk/client-kinesis'
      import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2'
      import { PublishCommand, SNSClient } from '@aws-sdk/client-sns'
      const options = (service) => globalThis[Symbol.for('process-host')].clientOptions(service)
      const outcome = (call) => call.then(() => 'done', ({ name, message }) => name + ': ' + message)
      export const send = () => Promise.all([
        outcome(new SNSClient(options('sns')).send(new PublishCommand({ PhoneNumber: '+4366012345', Message: 'x' }))),
        outcome(new SESv2Client(options('ses')).send(new SendEmailCommand({ FromEmailAddress: 'a@b.test', Content: { Raw: { Data: Buffer.from('x') } } }))),
        outcome(new KinesisClient(options('kinesis')).send(new PutRecordCommand({ StreamName: 's', PartitionKey: 'k', Data: Buffer.from('x') }))),
        outcome(new EventBridgeClient(options('events')).send(new PutEventsCommand({ Entries: [{ EventBusName: 'crm' }] }))),
      ])`,
  })
  const denied = (permission: string) =>
    expect.stringMatching(new RegExp(`^AccessDeniedException: .*not authorized to perform: ${permission}`))
  expect(await cloud.invoke('send')).toEqual([
    'done',
    denied('ses:SendRawEmail on resource: arn:aws:ses:us-east-1:000000000000:identity/b.test'),
    denied('kinesis:PutRecord on resource: arn:aws:kinesis:us-east-1:000000000000:stream/s'),
    denied('events:PutEvents on resource: arn:aws:events:us-east-1:000000000000:event-bus/crm'),
  ])
  expect(cloud.outbox.list()).toMatchObject([{ type: 'sms', function: 'SendFunction' }])
})

it('a function that asks for a mail server gets the embedded one, unless the operator named another', async () => {
  const cloud = await tinyCloud({
    resources: {
      Table: tinyTable(),
      OwnFunction: tinyFunction('show', { Variables: { MAIL_HOST: 'smtp.acme.test', MAIL_FROM_ADDRESS: '' } }),
      LocalFunction: tinyFunction('show', {
        Variables: { MAIL_HOST: '', MAIL_FROM_ADDRESS: '', MAIL_ENCRYPTION: 'tls' },
      }),
      NamedFunction: tinyFunction('show', { Variables: { MAIL_HOST: '', MAIL_FROM_ADDRESS: 'desk@acme.test' } }),
      OtherFunction: tinyFunction('show'),
    },
    code: `
      const { MAIL_HOST, MAIL_PORT, MAIL_ENCRYPTION, MAIL_FROM_ADDRESS, MESSENGER_API_BASE } = process.env
      export const show = async () => [MAIL_HOST, MAIL_PORT, MAIL_ENCRYPTION, MAIL_FROM_ADDRESS, MESSENGER_API_BASE]`,
  })
  const port = expect.stringMatching(/^\d+$/)
  const botApi = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(await cloud.invoke('own')).toEqual(['smtp.acme.test', null, null, '', botApi])
  expect(await cloud.invoke('local')).toEqual(['127.0.0.1', port, '', 'service@local.test', botApi])
  expect(await cloud.invoke('named')).toEqual(['127.0.0.1', port, '', 'desk@acme.test', botApi])
  expect(await cloud.invoke('other')).toEqual([null, null, null, null, botApi])
})

it('messages over HTTP are copied, in pieces too; other requests of functions are not', async () => {
  const receiver = await scriptedReceiver(() => ({ status: 200 }))
  const cloud = await tinyCloud({
    resources: { Table: tinyTable(), SendFunction: tinyFunction('send') },
    code: `
      import { request } from 'node:http'
      const post = (url, headers, pieces) => new Promise((resolve, reject) => {
        const sent = request(url, { method: 'POST', headers }, (answer) => answer.resume().on('end', resolve))
        sent.on('error', reject)
        for (const piece of pieces) sent.write(piece)
        sent.end()
      })
      export async function send(url) {
        await post(url + '/sms', { 'user-agent': 'entity-workflow-sms', 'x-gateway': 'a secret' }, ['{"to":"+43', Buffer.from('660","text":"ä"}')])
        await post(url + '/token', { authorization: 'Basic abc' }, ['client_secret=abc'])
      }`,
  })
  await cloud.invoke('send', receiver.url)
  await receiver.close()
  expect(receiver.received.map(({ path }) => path)).toEqual(['/sms', '/token'])
  expect(cloud.outbox.list()).toMatchObject([
    {
      type: 'sms',
      provider: 'http',
      to: [`${receiver.url}/sms`],
      text: '{"to":"+43660","text":"ä"}',
      source: expect.stringMatching(/^POST \/sms\n[^]*x-gateway: \*{8}\n/),
      meta: { status: 200 },
    },
  ])
})
