import { ArnFormat, CfnCondition, CfnParameter, CfnRule, Fn, Stack } from 'aws-cdk-lib'
import type { ICfnRuleConditionExpression } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { type MailVariable, mailVariables } from '../catalogue/deployed-function.ts'
import { pascalCase } from '../pascal-case.ts'

/** What belongs to which tenant: `name=slug`, separated by commas. */
const ownedByTenants = '([^\\s,=]+=[a-z][a-z0-9-]+(,[^\\s,=]+=[a-z][a-z0-9-]+)*)?'

export interface CorsOrigins {
  readonly list: string[]
  readonly isSet: CfnCondition
}

/** The origins that may call the API. */
function corsOriginsOf(scope: Construct): CorsOrigins {
  const origins = new CfnParameter(scope, 'CorsOrigins', {
    default: '',
    description: 'Origins that CORS allows, separated by commas without spaces; empty: none',
  }).valueAsString
  return {
    list: Fn.split(',', origins),
    isSet: new CfnCondition(scope, 'CorsOriginsGiven', { expression: isNotEmpty(origins) }),
  }
}

/** What the table may do in a second at most, and each of its indexes. */
export interface OnDemandLimits {
  readonly readUnits: OnDemandLimit
  readonly writeUnits: OnDemandLimit
}
export interface OnDemandLimit {
  readonly amount: string
  readonly isSet: CfnCondition
}

/** Of the data stack: 0 is no limit but that of the account. */
export function onDemandLimitsOf(scope: Construct): OnDemandLimits {
  const limit = (of: 'Read' | 'Write'): OnDemandLimit => {
    const amount = new CfnParameter(scope, `Max${of}RequestUnits`, {
      default: '0',
      allowedPattern: '^(0|[1-9]\\d{0,8})$',
      constraintDescription: 'must be a whole number, or 0',
      description: `Most ${of.toLowerCase()} request units a second of the table, and of each index; 0: no limit of ours`,
    }).valueAsString
    return {
      amount,
      isSet: new CfnCondition(scope, `${of}sAreLimited`, {
        expression: Fn.conditionNot(Fn.conditionEquals(amount, '0')),
      }),
    }
  }
  return { readUnits: limit('Read'), writeUnits: limit('Write') }
}

/** A stage that people depend on: the service and the monitoring have the parameter. */
export function productionOf(scope: Construct): CfnCondition {
  const production = choice(
    scope,
    'Production',
    ['true', 'false'],
    'false: for a stage to try things, without a dashboard, and without limits to how many messages are worked on at once',
  )
  return new CfnCondition(scope, 'IsProduction', { expression: Fn.conditionEquals(production, 'true') })
}

/** Whether the messenger sends to an address of its function: the service and the monitoring have the parameter. */
export function messengerDirectOf(scope: Construct): CfnCondition {
  const direct = choice(
    scope,
    'MessengerDirect',
    ['false', 'true'],
    'true: the messenger sends to an address of its function, past API Gateway',
  )
  return new CfnCondition(scope, 'MessengerIsDirect', { expression: Fn.conditionEquals(direct, 'true') })
}

/** A table that was restored from a backup and takes the place of the stack's own. */
export interface RestoredTable {
  readonly name: string
  readonly isGiven: CfnCondition
}

/** The service and the monitoring have the parameter. */
export function restoredTableOf(scope: Construct): RestoredTable {
  const name = text(
    scope,
    'RestoredTable',
    '([a-zA-Z0-9_.-]{3,255})?',
    "Table that was restored from a backup and takes the place of the stack's own; empty: its own",
  )
  return { name, isGiven: new CfnCondition(scope, 'TableIsRestored', { expression: isNotEmpty(name) }) }
}

/** Parameters of the monitoring stack. Those that the service has, too, decide what there is to watch. */
export class MonitoringParameters {
  readonly alarmEmail: { readonly address: string; readonly isSet: CfnCondition }
  /** What the account may cost a month before the operator gets a mail. */
  readonly budget: { readonly amount: string; readonly address: string; readonly isWanted: CfnCondition }
  readonly production: CfnCondition
  readonly messengerDirect: CfnCondition
  readonly restoredTable: RestoredTable

  constructor(scope: Construct) {
    const email = new CfnParameter(scope, 'AlarmEmail', {
      default: '',
      allowedPattern: '^([^\\s@]+@[^\\s@]+)?$',
      constraintDescription: 'must be empty or an e-mail address',
      description: 'E-mail address that alarms are sent to; empty: none, subscribe to the topic instead',
    }).valueAsString
    this.alarmEmail = {
      address: email,
      isSet: new CfnCondition(scope, 'AlarmEmailGiven', { expression: isNotEmpty(email) }),
    }
    const amount = new CfnParameter(scope, 'MonthlyBudget', {
      default: '50',
      allowedPattern: '^(0|[1-9]\\d{0,7})$',
      constraintDescription: 'must be whole dollars, or 0',
      description: 'Dollars a month of the account, of which AlarmEmail is told when they run out; 0: no budget',
    }).valueAsString
    this.budget = {
      amount,
      address: email,
      isWanted: new CfnCondition(scope, 'BudgetIsWanted', {
        expression: Fn.conditionAnd(isNotEmpty(email), Fn.conditionNot(Fn.conditionEquals(amount, '0'))),
      }),
    }
    this.production = productionOf(scope)
    this.messengerDirect = messengerDirectOf(scope)
    this.restoredTable = restoredTableOf(scope)
  }
}

/** Parameters of `cdk deploy --parameters Name=value`. The local cloud sets them from its environment. */
export class StackParameters {
  readonly appMode: string
  readonly registration: string
  readonly emailVerification: string
  readonly logLevel: string
  readonly appUrl: string
  /** The identity provider of the deployment, and the verified domains of tenants. */
  readonly sso: Readonly<Record<'issuer' | 'audience' | 'jwksUrl' | 'groupsClaim' | 'domains', string>>
  /** The domains from which tenants send through SES. */
  readonly sesDomains: string
  /** Sends name the configuration set of the stack. */
  readonly countsBySes: CfnCondition
  /** The streams and event buses of the account that tenants use, and the tenants that send SMS through SNS. */
  readonly streamOwners: string
  readonly eventBusOwners: string
  readonly smsTenants: string
  readonly tenantRequestsPerSecond: string
  readonly purgeReadUnits: string
  readonly trustedProxies: string
  readonly mail: Readonly<Record<MailVariable, string>>
  /** A secret in place of `MAIL_PASSWORD`: its ARN, and what a function may read, which is nothing where none is given. */
  readonly mailPasswordSecret: { readonly arn: string; readonly readableArn: string }
  readonly corsOrigins: CorsOrigins
  readonly restoredTable: RestoredTable & { readonly streamArn: string }
  /** Lambda's traces of every function. */
  readonly isTraced: CfnCondition
  /** The messenger sends to an address of its function, past API Gateway. */
  readonly messengerDirect: CfnCondition
  /** Without a canary, and whatever alarms ring. */
  readonly rollsOutAtOnce: CfnCondition
  /** A stage that people depend on. */
  readonly production: CfnCondition
  readonly #publicUrl: string
  readonly #publicUrlGiven: CfnCondition

  constructor(scope: Construct) {
    this.appMode = choice(
      scope,
      'AppMode',
      ['single', 'saas'],
      'single: one tenant; saas: every registration creates a tenant',
    )
    this.registration = choice(scope, 'Registration', ['', 'open', 'closed'], 'Empty: open in saas mode, else closed')
    this.emailVerification = choice(
      scope,
      'EmailVerification',
      ['', 'required', 'off'],
      'Whether a registered tenant waits until its e-mail address is verified; empty: where MailHost and MailFromAddress are set',
    )
    this.logLevel = choice(scope, 'LogLevel', ['INFO', 'DEBUG', 'WARN', 'ERROR'], 'Log level of the functions')
    this.appUrl = address(scope, 'AppUrl', 'Address of the web app, for the links in invitations')
    this.sso = {
      issuer: text(scope, 'SsoIssuer', '(https?://[^\\s?#]+)?', 'Identity provider of the deployment; empty: none'),
      audience: text(scope, 'SsoAudience', '\\S*', 'Audience of its tokens'),
      jwksUrl: text(scope, 'SsoJwksUrl', '(https?://[^\\s#]+)?', 'Address of its keys; empty: found by discovery'),
      groupsClaim: text(scope, 'SsoGroupsClaim', '\\S*', 'Claim with the groups; empty: groups'),
      domains: text(
        scope,
        'SsoDomains',
        ownedByTenants,
        'Verified domains of tenants: acme.com=acme,acme.org=acme; empty: every domain in single mode, else none',
      ),
    }
    this.sesDomains = text(
      scope,
      'SesDomains',
      ownedByTenants,
      'Domains from which tenants send through SES: acme.com=acme; empty: every domain in single mode, else none',
    )
    const counts = choice(
      scope,
      'SesConfigurationSet',
      ['true', 'false'],
      'true: mails through SES name a configuration set of the stack, which counts their bounces and complaints',
    )
    this.countsBySes = new CfnCondition(scope, 'SesConfigurationSetIsUsed', {
      expression: Fn.conditionEquals(counts, 'true'),
    })
    this.streamOwners = text(
      scope,
      'StreamOwners',
      ownedByTenants,
      'Kinesis streams of tenants: orders=acme; empty: every stream in single mode, else none',
    )
    this.eventBusOwners = text(
      scope,
      'EventBusOwners',
      ownedByTenants,
      'Event buses of tenants: main=acme; empty: every bus in single mode, else none',
    )
    this.smsTenants = text(
      scope,
      'SmsTenants',
      '([a-z][a-z0-9-]+(,[a-z][a-z0-9-]+)*)?',
      'Tenants that send SMS through SNS: acme,globex; empty: the one of single mode, else none',
    )
    this.tenantRequestsPerSecond = new CfnParameter(scope, 'TenantRequestsPerSecond', {
      default: '500',
      allowedPattern: '^\\d{1,6}$',
      constraintDescription: 'must be a number',
      description: 'Requests a second that one tenant may send, on average over ten seconds; 0: no limit',
    }).valueAsString
    this.purgeReadUnits = new CfnParameter(scope, 'PurgeReadUnits', {
      default: '200',
      allowedPattern: '^[1-9]\\d{1,5}$',
      constraintDescription: 'must be a number from 10',
      description: 'Read units a second that the removal of a tenant may take from the table',
    }).valueAsString
    this.trustedProxies = text(
      scope,
      'TrustedProxies',
      '([0-9a-fA-F.:]+(/\\d{1,3})?(,[0-9a-fA-F.:]+(/\\d{1,3})?)*)?',
      'Addresses and networks of the proxies before the API, such as those of CloudFront; empty: none',
    )
    this.mail = mailParameters(scope)
    this.mailPasswordSecret = mailPasswordSecret(scope, this.mail.MAIL_PASSWORD)
    this.#publicUrl = address(scope, 'PublicUrl', 'Address clients use; empty: the address of the API itself')
    this.#publicUrlGiven = new CfnCondition(scope, 'PublicUrlGiven', { expression: isNotEmpty(this.#publicUrl) })
    this.messengerDirect = messengerDirectOf(scope)
    this.production = productionOf(scope)
    const rollout = choice(
      scope,
      'Rollout',
      ['canary', 'at-once'],
      'canary: a tenth of the requests for ten minutes first, taken back when the API fails; at-once: for a repair in a hurry',
    )
    this.rollsOutAtOnce = new CfnCondition(scope, 'RollsOutAtOnce', {
      expression: Fn.conditionEquals(rollout, 'at-once'),
    })
    this.corsOrigins = corsOriginsOf(scope)
    this.restoredTable = restoredTable(scope)
    const tracing = choice(scope, 'Tracing', ['off', 'on'], 'on: Lambda sends traces of every function to X-Ray')
    this.isTraced = new CfnCondition(scope, 'TracingIsOn', { expression: Fn.conditionEquals(tracing, 'on') })
  }

  /** The base address of links: the parameter, or `own` when it is empty. */
  publicUrl(own: string): string {
    return Fn.conditionIf(this.#publicUrlGiven.logicalId, this.#publicUrl, own).toString()
  }

  /** Where the messenger sends to: the address of a function if the operator wants that, else the API. */
  messengerUrl(direct: string, publicUrl: string): string {
    return Fn.conditionIf(this.messengerDirect.logicalId, direct, publicUrl).toString()
  }
}

const isEmpty = (value: string): ICfnRuleConditionExpression => Fn.conditionEquals(value, '')
const isNotEmpty = (value: string): ICfnRuleConditionExpression => Fn.conditionNot(isEmpty(value))

/** Both or none: a table without its stream has no history, no lists and no processes. */
function restoredTable(scope: Construct): StackParameters['restoredTable'] {
  const { name, isGiven } = restoredTableOf(scope)
  const streamArn = text(
    scope,
    'RestoredTableStream',
    '(arn:[a-z-]+:dynamodb:[^:]+:[^:]+:table/.+/stream/.+)?',
    'ARN of the stream of RestoredTable, with new and old images',
  )
  new CfnRule(scope, 'RestoredTableHasStream', {
    assertions: [
      {
        assert: Fn.conditionOr(
          Fn.conditionAnd(isEmpty(name), isEmpty(streamArn)),
          Fn.conditionAnd(isNotEmpty(name), isNotEmpty(streamArn)),
        ),
        assertDescription: 'Give RestoredTable and RestoredTableStream together',
      },
    ],
  })
  return { name, streamArn, isGiven }
}

/** The first value is the default. */
const choice = (scope: Construct, name: string, allowedValues: string[], description: string): string =>
  new CfnParameter(scope, name, { allowedValues, default: allowedValues[0], description }).valueAsString

const text = (scope: Construct, name: string, pattern: string, description: string): string =>
  new CfnParameter(scope, name, {
    default: '',
    allowedPattern: `^${pattern}$`,
    constraintDescription: `must be empty or match ${pattern}`,
    description,
  }).valueAsString
/** One parameter for each variable, such as `MailHost` for `MAIL_HOST`. */
function mailParameters(scope: Construct): Record<MailVariable, string> {
  const parameters = mailVariables.map((variable) => {
    const name = pascalCase(variable.toLowerCase())
    const { valueAsString } = new CfnParameter(scope, name, {
      default: '',
      noEcho: variable === 'MAIL_PASSWORD',
      description: `${variable} of tenants without mail settings of their own; empty: unset`,
    })
    return [variable, valueAsString]
  })
  return Object.fromEntries(parameters) as Record<MailVariable, string>
}

/** One of the two: a password in the environment is seen by whoever may look at the function. */
function mailPasswordSecret(scope: Construct, password: string): StackParameters['mailPasswordSecret'] {
  const arn = text(
    scope,
    'MailPasswordSecret',
    '(arn:[a-z-]+:secretsmanager:[a-z0-9-]+:[0-9]{12}:secret:[\\w/+=.@-]+)?',
    'ARN in Secrets Manager of the password at MailHost, in place of MailPassword',
  )
  new CfnRule(scope, 'OneMailPassword', {
    assertions: [
      {
        assert: Fn.conditionOr(isEmpty(arn), isEmpty(password)),
        assertDescription: 'Give MailPassword or MailPasswordSecret, not both',
      },
    ],
  })
  const isGiven = new CfnCondition(scope, 'MailPasswordIsSecret', { expression: isNotEmpty(arn) })
  // ARNs of secrets end in six random characters, so no secret has this one.
  const none = Stack.of(scope).formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName: 'none',
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  })
  return { arn, readableArn: Fn.conditionIf(isGiven.logicalId, arn, none).toString() }
}

const address = (scope: Construct, name: string, description: string): string =>
  new CfnParameter(scope, name, {
    default: '',
    allowedPattern: '^(https?://[^\\s/?#]+(/[^\\s/?#]+)*)?$',
    constraintDescription: 'must be empty or an http(s) address without a trailing slash',
    description,
  }).valueAsString
