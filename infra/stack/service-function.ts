import { join } from 'node:path'
import { Duration, Stack } from 'aws-cdk-lib'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import {
  type AddToPrincipalPolicyResult,
  PolicyDocument,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import { Alias, Architecture, type CfnFunction, Code, Function, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda'
import type { ILogGroup } from 'aws-cdk-lib/aws-logs'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import type { Construct } from 'constructs'
import type { DeployedFunction, Grant } from '../catalogue/deployed-function.ts'
import type { QueueName } from '../catalogue/queues.ts'
import { pascalCase } from '../pascal-case.ts'
import type { WorkQueue } from './work-queue.ts'

export interface ServiceFunctionProps {
  readonly bundles: string
  readonly version: string
  readonly logLevel: string
  /** The time of the deployment, or a word where there is none. */
  readonly deployedAt: string
  /** Where every function logs: one request is read in one place, through all the functions that follow it. */
  readonly logs: ILogGroup
  /** The value of each environment variable that the catalogue may list. */
  readonly environment: Readonly<Record<DeployedFunction['environment'][number], string>>
}

export type Grantable = {
  readonly table: ITable
  readonly files: IBucket
  readonly failedBatches: IBucket
  readonly settingsKey: IKey
  /** Of SES. */
  readonly configurationSetArn: string
  /** Of the password at the mail server of the operator. */
  readonly mailPasswordArn: string
} & Readonly<Record<QueueName, WorkQueue>>

/**
 * The role of one function, with its rights inside: they exist before the function does, and a policy of its own for each
 * would bring the stack near CloudFormation's limit of 500 resources.
 */
class FunctionRole extends Role {
  readonly #rights: PolicyDocument

  constructor(scope: Construct, id: string) {
    const rights = new PolicyDocument()
    super(scope, id, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { rights },
    })
    this.#rights = rights
  }

  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.#rights.addStatements(statement)
    return { statementAdded: true, policyDependable: this }
  }
}

/** The alias that answers requests: it points to a version, and a deployment moves it. */
const aliasName = 'live'

/**
 * Whether a consumer sends messages to its own queue, as work in steps does. Lambda takes that for an endless loop and drops
 * the message after sixteen invocations, unless it is allowed.
 */
const sendsToItself = ({ trigger, grants }: DeployedFunction): boolean =>
  trigger.kind === 'queue' &&
  grants.some(({ on, actions }) => on === trigger.queue && actions.some((action) => action === 'sqs:SendMessage'))

/** A function of the catalogue, with its own role. */
export class ServiceFunction extends Function {
  /** Of a function that answers requests, unless it is replaced at once. */
  readonly live: Alias | undefined

  constructor(
    scope: Construct,
    entry: DeployedFunction,
    { bundles, version, logLevel, logs, environment, deployedAt }: ServiceFunctionProps,
  ) {
    const id = `${pascalCase(entry.name)}Function`
    const isVersioned = entry.trigger.kind === 'routes' && !entry.isReplacedAtOnce
    // The managed policy would allow each function to write to every log group of the account.
    const role = new FunctionRole(scope, `${id}Role`)
    role.addToPolicy(
      new PolicyStatement({
        actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        resources: [logs.logGroupArn],
      }),
    )
    super(scope, id, {
      description: entry.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(join(bundles, entry.name)),
      memorySize: entry.memoryMb,
      timeout: Duration.seconds(entry.timeoutSeconds),
      role,
      logGroup: logs,
      loggingFormat: LoggingFormat.JSON,
      environment: {
        ...Object.fromEntries(entry.environment.map((name) => [name, environment[name]])),
        ...(entry.columnMemoryMb !== undefined && { COLUMN_MEMORY_MB: String(entry.columnMemoryMb) }),
        SERVICE_VERSION: version,
        POWERTOOLS_SERVICE_NAME: entry.name,
        POWERTOOLS_LOG_LEVEL: logLevel,
        // Values of parameters are no part of the template, and a version keeps those of its time: each deployment makes a
        // new one, so that changed parameters reach the functions.
        ...(isVersioned && { DEPLOYED_AT: deployedAt }),
      },
    })
    if (isVersioned) this.live = new Alias(scope, `${id}Live`, { aliasName, version: this.currentVersion })
    // Lambda's own level filter (default INFO) applies before Powertools'. An override, because the L2 property takes
    // no parameter.
    const resource = this.node.defaultChild as CfnFunction
    resource.addPropertyOverride('LoggingConfig.ApplicationLogLevel', logLevel)
    // At INFO each invocation logs two lines of the platform.
    resource.addPropertyOverride('LoggingConfig.SystemLogLevel', 'WARN')
    if (sendsToItself(entry)) resource.recursiveLoop = 'Allow'
  }

  /** What requests invoke: the alias of the function, or the function itself. */
  get invoked(): { readonly targetArn: string; readonly qualifier: string | undefined } {
    return this.live
      ? { targetArn: this.live.functionArn, qualifier: aliasName }
      : { targetArn: this.functionArn, qualifier: undefined }
  }

  /** Grants exactly the actions and resources of the catalogue. */
  allow(grants: readonly Grant[], on: Grantable): void {
    for (const grant of grants) {
      this.addToRolePolicy(
        new PolicyStatement({
          actions: [...grant.actions],
          ...(grant.on === 'phone-numbers'
            ? // IAM knows a phone number as itself, not by an ARN: all that is no topic and no device is allowed.
              { notResources: [Stack.of(this).formatArn({ service: 'sns', region: '*', account: '*', resource: '*' })] }
            : { resources: resourcesOf(grant, on, Stack.of(this)) }),
          ...(grant.on === 'settings-key' && {
            conditions: { StringLike: { 'kms:EncryptionContext:name': grant.names } },
          }),
        }),
      )
    }
  }
}

type ResourceGrant = Exclude<Grant, { on: 'phone-numbers' }>

/** SES asks for the right to the configuration set as well. */
const resourcesOf = (grant: ResourceGrant, on: Grantable, stack: Stack): string[] => [
  resourceOf(grant, on, stack),
  ...(grant.on === 'mail-identities' ? [on.configurationSetArn] : []),
]

function resourceOf(grant: ResourceGrant, on: Grantable, stack: Stack): string {
  switch (grant.on) {
    case 'table':
      return on.table.tableArn
    case 'slots':
      return `${on.table.tableArn}/index/slot*`
    case 'files':
      return on.files.arnForObjects(`${grant.prefix}*`)
    case 'settings-key':
      return on.settingsKey.keyArn
    case 'mail-identities':
      return stack.formatArn({ service: 'ses', resource: 'identity', resourceName: '*' })
    case 'mail-password':
      return on.mailPasswordArn
    case 'files-listing':
      return on.files.bucketArn
    case 'failed-batches':
      return on.failedBatches.bucketArn
    case 'account-streams':
      // A channel may name a stream of another region.
      return stack.formatArn({ service: 'kinesis', region: '*', resource: 'stream', resourceName: '*' })
    case 'account-buses':
      return stack.formatArn({ service: 'events', resource: 'event-bus', resourceName: '*' })
    default:
      return on[grant.on].queue.queueArn
  }
}
