/** The permissions AWS requires for each call. */

interface Location {
  readonly region: string
  readonly accountId: string
}

/** An action and the ARN of its resource, with what conditions of policies may ask for. */
export type RequiredPermission = readonly [action: string, resource: string, context?: RequestContext]
/** Values of condition keys, such as `kms:EncryptionContext:name`. */
export type RequestContext = Readonly<Record<string, string>>

/** All permissions that a call requires. */
export function requiredPermissions(
  location: Location,
  service: string,
  operation: string,
  input: any,
): readonly RequiredPermission[] {
  switch (service) {
    case 'dynamodb':
      return onTables(location, operation, input)
    case 'sqs':
      return [[`sqs:${operation.replace(/Batch$/, '')}`, queueArn(location, input)]]
    case 's3':
      return onObject(operation, input)
    case 'kms':
      return onKey(operation, input)
    case 'ses':
      return onIdentity(location, operation, input)
    case 'sns':
      return [[`sns:${operation}`, input.TopicArn ?? input.TargetArn ?? input.PhoneNumber ?? '*']]
    case 'kinesis':
      return [[`kinesis:${operation}`, input.StreamARN ?? arn(location, 'kinesis', `stream/${input.StreamName}`)]]
    case 'events':
      return (input.Entries ?? []).map(({ EventBusName = 'default' }: { EventBusName?: string }) => [
        `events:${operation}`,
        EventBusName.startsWith('arn:') ? EventBusName : arn(location, 'events', `event-bus/${EventBusName}`),
      ])
    default:
      return [[`${service}:${operation}`, '*']]
  }
}

const arn = ({ region, accountId }: Location, service: string, resource: string): string =>
  `arn:aws:${service}:${region}:${accountId}:${resource}`

/** A raw message requires another action. The identity is the domain of the sender. */
function onIdentity(location: Location, operation: string, input: any): RequiredPermission[] {
  const action = input.Content?.Raw === undefined ? operation : 'SendRawEmail'
  const [, domain = ''] = /@([^\s@>]+)>?\s*$/.exec(input.FromEmailAddress ?? '') ?? []
  const set: string | undefined = input.ConfigurationSetName
  return [
    [`ses:${action}`, domain === '' ? '*' : arn(location, 'ses', `identity/${domain}`)],
    ...(set === undefined ? [] : [[`ses:${action}`, arn(location, 'ses', `configuration-set/${set}`)] as const]),
  ]
}

/** A transaction has no action of its own: it requires those of its items. */
const partActions: Readonly<Record<string, string>> = {
  Put: 'dynamodb:PutItem',
  Update: 'dynamodb:UpdateItem',
  Delete: 'dynamodb:DeleteItem',
  ConditionCheck: 'dynamodb:ConditionCheckItem',
  Get: 'dynamodb:GetItem',
}

function onTables(location: Location, operation: string, input: any): RequiredPermission[] {
  const tableArn = (name: string): string =>
    name.startsWith('arn:') ? name : `arn:aws:dynamodb:${location.region}:${location.accountId}:table/${name}`
  if (Array.isArray(input.TransactItems)) {
    return input.TransactItems.flatMap((item: Record<string, { TableName: string }>) =>
      Object.entries(item).flatMap(([part, one]): RequiredPermission[] =>
        one && partActions[part] ? [[partActions[part], tableArn(one.TableName)]] : [],
      ),
    )
  }
  if (input.RequestItems)
    return Object.keys(input.RequestItems).map((name) => [`dynamodb:${operation}`, tableArn(name)])
  if (input.TableName === undefined) return [[`dynamodb:${operation}`, '*']]
  return [
    [
      `dynamodb:${operation}`,
      tableArn(input.TableName) + (input.IndexName === undefined ? '' : `/index/${input.IndexName}`),
    ],
  ]
}

const queueArn = (
  { region, accountId }: Location,
  { QueueUrl = '', QueueName }: { QueueUrl?: string; QueueName?: string },
): string => `arn:aws:sqs:${region}:${accountId}:${QueueName ?? QueueUrl.slice(QueueUrl.lastIndexOf('/') + 1)}`

function onKey(
  operation: string,
  { KeyId = '*', EncryptionContext = {} }: { KeyId?: string; EncryptionContext?: Readonly<Record<string, string>> },
): RequiredPermission[] {
  const context = Object.entries(EncryptionContext).map(([name, value]) => [`kms:EncryptionContext:${name}`, value])
  return [[`kms:${operation}`, KeyId, Object.fromEntries(context) as RequestContext]]
}

const uploadParts: ReadonlySet<string> = new Set([
  'CreateMultipartUpload',
  'UploadPart',
  'CompleteMultipartUpload',
  'POST',
  'PUT',
])
const reads: ReadonlySet<string> = new Set(['HeadObject', 'GET', 'HEAD'])

function onObject(
  operation: string,
  { path, query = {} }: { path: string; query?: Readonly<Record<string, unknown>> },
): RequiredPermission[] {
  const [bucket = '', ...key] = path.replace(/^\//, '').split('/')
  const isBucket = key.join('/') === ''
  if (isBucket) return [['s3:ListBucket', `arn:aws:s3:::${bucket}`]]
  const resource = `arn:aws:s3:::${bucket}/${decodeURIComponent(key.join('/'))}`
  if (operation === 'POST' && 'delete' in query) return [['s3:DeleteObject', resource]]
  if (uploadParts.has(operation)) return [['s3:PutObject', resource]]
  if (reads.has(operation)) return [['s3:GetObject', resource]]
  if (operation === 'DELETE') return [['uploadId' in query ? 's3:AbortMultipartUpload' : 's3:DeleteObject', resource]]
  return [[`s3:${operation}`, resource]]
}
