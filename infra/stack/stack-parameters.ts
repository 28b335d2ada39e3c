import { CfnCondition, CfnParameter, Fn } from 'aws-cdk-lib'
import type { ICfnConditionExpression } from 'aws-cdk-lib'
import type { Construct } from 'constructs'

/** What an operator may set on `cdk deploy --parameters Name=value`, and the local cloud from its environment. */
export class StackParameters {
  readonly appMode: string
  readonly registration: string
  readonly logLevel: string
  readonly appUrl: string
  readonly corsOrigins: { readonly list: string[]; readonly given: CfnCondition }
  readonly alarmEmail: { readonly address: string; readonly given: CfnCondition }
  readonly #publicUrl: string
  readonly #publicUrlGiven: CfnCondition

  constructor(scope: Construct) {
    this.appMode = choice(scope, 'AppMode', ['single', 'saas'], 'One tenant, or as many as register')
    this.registration = choice(scope, 'Registration', ['', 'open', 'closed'], 'Empty: open in saas mode, else closed')
    this.logLevel = choice(scope, 'LogLevel', ['INFO', 'DEBUG', 'WARN', 'ERROR'], 'Least severe log line that is kept')
    this.appUrl = address(scope, 'AppUrl', 'Address of the web app, for the links in invitations')
    this.#publicUrl = address(scope, 'PublicUrl', 'Address clients use; empty: the address of the API itself')
    this.#publicUrlGiven = new CfnCondition(scope, 'PublicUrlGiven', { expression: given(this.#publicUrl) })
    const origins = new CfnParameter(scope, 'CorsOrigins', {
      default: '',
      description: 'Origins of browsers that may call, separated by commas without spaces; empty: none',
    }).valueAsString
    this.corsOrigins = {
      list: Fn.split(',', origins),
      given: new CfnCondition(scope, 'CorsOriginsGiven', { expression: given(origins) }),
    }
    const email = new CfnParameter(scope, 'AlarmEmail', {
      default: '',
      allowedPattern: '^([^\\s@]+@[^\\s@]+)?$',
      constraintDescription: 'must be empty or an e-mail address',
      description: 'Who is told of alarms; empty: nobody, until something subscribes to the topic',
    }).valueAsString
    this.alarmEmail = {
      address: email,
      given: new CfnCondition(scope, 'AlarmEmailGiven', { expression: given(email) }),
    }
  }

  /** The address that links are built from: what the operator says, else `own`. */
  publicUrl(own: string): string {
    return Fn.conditionIf(this.#publicUrlGiven.logicalId, this.#publicUrl, own).toString()
  }
}

const given = (value: string): ICfnConditionExpression => Fn.conditionNot(Fn.conditionEquals(value, ''))

/** The first value is the default. */
const choice = (scope: Construct, name: string, allowedValues: string[], description: string): string =>
  new CfnParameter(scope, name, { allowedValues, default: allowedValues[0], description }).valueAsString

const address = (scope: Construct, name: string, description: string): string =>
  new CfnParameter(scope, name, {
    default: '',
    allowedPattern: '^(https?://[^\\s/?#]+(/[^\\s/?#]+)*)?$',
    constraintDescription: 'must be empty or an http(s) address without a slash at its end',
    description,
  }).valueAsString
