import { describe, expect, it } from 'vitest'
import { compilePermissions } from '../../../../../../infra/local/sdk/iam/permissions.ts'
import { requiredPermissions } from '../../../../../../infra/local/sdk/iam/required-permissions.ts'
import { tinyCloud } from '../../../../../make/services/tiny-cloud.ts'
import { arnOf, tinyFunction, tinyTable } from '../../../../../make/services/tiny-template.ts'

const location = { region: 'us-east-1', accountId: '000000000000' }
const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/T'

describe('required permissions', () => {
  it.each([
    ['dynamodb', 'GetItem', { TableName: 'T' }, [`dynamodb:GetItem ${table}`]],
    ['dynamodb', 'Query', { TableName: 'T', IndexName: 'slot07' }, [`dynamodb:Query ${table}/index/slot07`]],
    ['dynamodb', 'BatchWriteItem', { RequestItems: { T: [] } }, [`dynamodb:BatchWriteItem ${table}`]],
    [
      'dynamodb',
      'TransactWriteItems',
      {
        TransactItems: [
          { Put: { TableName: 'T' } },
          { Update: { TableName: 'T' } },
          { Delete: { TableName: 'T' } },
          { ConditionCheck: { TableName: 'T' } },
        ],
      },
      [
        `dynamodb:PutItem ${table}`,
        `dynamodb:UpdateItem ${table}`,
        `dynamodb:DeleteItem ${table}`,
        `dynamodb:ConditionCheckItem ${table}`,
      ],
    ],
    [
      'sqs',
      'SendMessageBatch',
      { QueueUrl: 'http://sqs.in-process/000000000000/Jobs' },
      ['sqs:SendMessage arn:aws:sqs:us-east-1:000000000000:Jobs'],
    ],
    ['s3', 'GetObject', { path: '/files/history/1/a%20b.gz' }, ['s3:GetObject arn:aws:s3:::files/history/1/a b.gz']],
    ['s3', 'UploadPart', { path: '/files/exports/1' }, ['s3:PutObject arn:aws:s3:::files/exports/1']],
    ['s3', 'GET', { path: '/failed/', query: { 'list-type': '2' } }, ['s3:ListBucket arn:aws:s3:::failed']],
    ['kms', 'Decrypt', { KeyId: 'arn:key' }, ['kms:Decrypt arn:key']],
    [
      'ses',
      'SendEmail',
      { FromEmailAddress: 'Desk <desk@acme.test>', Content: { Simple: {} } },
      ['ses:SendEmail arn:aws:ses:us-east-1:000000000000:identity/acme.test'],
    ],
    [
      'ses',
      'SendEmail',
      { FromEmailAddress: 'a@b.test', ConfigurationSetName: 'stage', Content: { Raw: {} } },
      [
        'ses:SendRawEmail arn:aws:ses:us-east-1:000000000000:identity/b.test',
        'ses:SendRawEmail arn:aws:ses:us-east-1:000000000000:configuration-set/stage',
      ],
    ],
    ['ses', 'SendEmail', { Content: { Raw: {} } }, ['ses:SendRawEmail *']],
    ['sns', 'Publish', { PhoneNumber: '+4366012345' }, ['sns:Publish +4366012345']],
    [
      'kinesis',
      'PutRecords',
      { StreamName: 'orders' },
      ['kinesis:PutRecords arn:aws:kinesis:us-east-1:000000000000:stream/orders'],
    ],
    [
      'events',
      'PutEvents',
      { Entries: [{ EventBusName: 'crm' }, {}] },
      [
        'events:PutEvents arn:aws:events:us-east-1:000000000000:event-bus/crm',
        'events:PutEvents arn:aws:events:us-east-1:000000000000:event-bus/default',
      ],
    ],
    ['s3', 'DELETE', { path: '/files/x', query: { uploadId: '1' } }, ['s3:AbortMultipartUpload arn:aws:s3:::files/x']],
  ])('of %s %s', (service, operation, input, permissions) => {
    expect(
      requiredPermissions(location, service, operation, input).map(([action, resource]) => `${action} ${resource}`),
    ).toEqual(permissions)
  })
})

describe('a condition on the encryption context', () => {
  const statement = { Effect: 'Allow', Action: 'kms:Decrypt', Resource: 'arn:key' }
  const isAllowed = compilePermissions(
    [{ ...statement, Condition: { StringLike: { 'kms:EncryptionContext:name': ['MAIL_*', 'OTHER'] } } }],
    'role',
  )

  it.each([
    ['MAIL_PASSWORD', true],
    ['OTHER', true],
    ['OTHERS', false],
    ['mail_password', false],
  ])('with the name %s is %s', (name, allowed) => {
    const [[action, resource, context] = ['', '']] = requiredPermissions(location, 'kms', 'Decrypt', {
      KeyId: 'arn:key',
      EncryptionContext: { tenant: '1', name },
    })
    expect(isAllowed(action, resource, context)).toBe(allowed)
  })

  it('does not hold for a call without a name, and of another operator it is refused', () => {
    expect(isAllowed('kms:Decrypt', 'arn:key')).toBe(false)
    const others = { StringEquals: { 'aws:ResourceTag/x': 'y' } }
    expect(() => compilePermissions([{ ...statement, Condition: others }], 'role')).toThrow('StringLike')
  })
})

describe('a role', () => {
  const isAllowed = compilePermissions(
    [{ Effect: 'Allow', Action: ['dynamodb:Get*', 'sqs:SendMessage'], Resource: [table, `${table}/index/slot*`] }],
    'role',
  )

  it.each([
    ['dynamodb:GetItem', table, true],
    ['DynamoDB:getitem', table, true],
    ['dynamodb:PutItem', table, false],
    ['dynamodb:GetItem', `${table}2`, false],
    ['dynamodb:GetItem', `${table}/index/slot01`, true],
    ['dynamodb:GetItem', `${table}/index/other`, false],
  ])('may do %s on %s: %s', (action, resource, answer) =>
    expect([isAllowed(action, resource), isAllowed(action, resource)]).toEqual([answer, answer]),
  )

  it('that may not reach some resources reaches all others', () => {
    const mayPublish = compilePermissions(
      [{ Effect: 'Allow', Action: 'sns:Publish', NotResource: 'arn:aws:sns:*:*:*' }],
      'role',
    )
    expect(mayPublish('sns:Publish', '+4366012345')).toBe(true)
    expect(mayPublish('sns:Publish', 'arn:aws:sns:us-east-1:000000000000:alarms')).toBe(false)
    expect(mayPublish('sns:Subscribe', '+4366012345')).toBe(false)
  })

  it('is rejected with denials, which are not evaluated', () => {
    expect(() => compilePermissions([{ Effect: 'Deny', Action: '*', Resource: '*' }], 'role')).toThrow(
      'policies that allow',
    )
  })
})

it('a function is denied what its role does not allow, in the words of AWS', async () => {
  const policy = { Statement: [{ Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: arnOf('Table') }] }
  const cloud = await tinyCloud({
    resources: {
      Table: tinyTable(),
      Role: { Type: 'AWS::IAM::Role', Properties: {} },
      Policy: { Type: 'AWS::IAM::Policy', Properties: { PolicyDocument: policy, Roles: [{ Ref: 'Role' }] } },
      TryFunction: tinyFunction('attempt', { Role: arnOf('Role') }),
    },
    code: `
      import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
      import { S3Client, GetObjectCommand } from '@aws-sdk/client-s3'
      const options = (service) => globalThis[Symbol.for('process-host')].clientOptions(service)
      const outcome = (call) => call.then(() => 'done', ({ name, message }) => name + ': ' + message)
      export async function attempt() {
        const table = new DynamoDBClient(options('dynamodb'))
        const TableName = process.env.TABLE_NAME
        const Key = { pk: { S: 'a' }, sk: { S: 'b' } }
        return [
          await outcome(table.send(new GetItemCommand({ TableName, Key }))),
          await outcome(table.send(new PutItemCommand({ TableName, Item: Key }))),
          await outcome(new S3Client(options('s3')).send(new GetObjectCommand({ Bucket: 'b', Key: 'k' }))),
        ]
      }`,
  })
  const [read, written, fetched] = (await cloud.invoke('try')) as string[]
  expect(read).toBe('done')
  expect(written).toMatch(
    /^AccessDeniedException: TryFunction is not authorized to perform: dynamodb:PutItem on resource: arn:aws:dynamodb:.*:table\/Table because no identity-based policy/,
  )
  expect(fetched).toMatch(
    /^AccessDenied: TryFunction is not authorized to perform: s3:GetObject on resource: arn:aws:s3:::b\/k/,
  )
})
