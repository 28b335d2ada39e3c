import { describe, expect, it } from 'vitest'
import { deployedFunctions } from '../../infra/catalogue/functions.ts'
import {
  functionNamed,
  type Properties,
  readable,
  resources,
  resourcesOf,
  stacks,
  target,
  template,
  theOnly,
} from './synthesized.ts'

const answering = deployedFunctions
  .filter(({ trigger, isReplacedAtOnce }) => trigger.kind === 'routes' && !isReplacedAtOnce)
  .map(({ name }) => name)
const aliases = resourcesOf('AWS::Lambda::Alias')

describe('a new version of a function that answers requests', () => {
  it('is reached by an alias, of all of them and of no other', () => {
    expect(aliases.map(({ properties }) => target(properties.FunctionName)).toSorted()).toEqual(
      answering.map((name) => functionNamed(name).id).toSorted(),
    )
    expect(new Set(aliases.map(({ properties }) => properties.Name))).toEqual(new Set(['live']))
  })

  it('gets a tenth of the requests first, and loses them when the API answers with errors', () => {
    const alarms = resourcesOf('AWS::CloudWatch::Alarm').filter(({ properties }) => properties.MetricName === '5xx')
    const alarm = alarms.find(({ id }) => id in stacks.service.Resources)
    // The operator is told by another one, at the same number.
    const [its, theirs] = ['AlarmActions', 'OKActions'].map((actions) =>
      alarms.map(({ properties }) => properties[actions]),
    )
    expect([its, theirs].map((actions) => actions?.filter((one) => one === undefined).length)).toEqual([1, 1])
    expect(alarm?.properties).toMatchObject({ Threshold: 5, Period: 300, EvaluationPeriods: 1, Statistic: 'Sum' })
    expect(alarms.map(({ properties }) => properties.Threshold)).toEqual([5, 5])
    const groups = resourcesOf('AWS::CodeDeploy::DeploymentGroup')
    expect(groups).toHaveLength(answering.length)
    for (const { properties } of groups)
      expect(properties).toMatchObject({
        DeploymentConfigName: {
          'Fn::If': [
            'RollsOutAtOnce',
            'CodeDeployDefault.LambdaAllAtOnce',
            'CodeDeployDefault.LambdaCanary10Percent10Minutes',
          ],
        },
        AlarmConfiguration: {
          Alarms: [{ Name: { Ref: alarm?.id } }],
          // A repair has to go out while the alarm rings.
          Enabled: { 'Fn::If': ['RollsOutAtOnce', false, true] },
        },
        AutoRollbackConfiguration: { Enabled: true, Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'] },
      })
    const updates = aliases.map(
      ({ id }) => (template.Resources[id] as Properties).UpdatePolicy.CodeDeployLambdaAliasUpdate,
    )
    expect(updates.map(({ DeploymentGroupName }) => target(DeploymentGroupName))).toEqual(groups.map(({ id }) => id))
  })

  it('of the web app replaces the old one at once, because its page and its files come by several requests', () => {
    expect(deployedFunctions.filter(({ isReplacedAtOnce }) => isReplacedAtOnce).map(({ name }) => name)).toEqual([
      'web-app',
    ])
  })

  it('is deployed by a role that may move aliases, which IAM knows by the functions they are of', () => {
    const groups = resourcesOf('AWS::CodeDeploy::DeploymentGroup')
    const [role, ...others] = new Set(groups.map(({ properties }) => target(properties.ServiceRoleArn)))
    expect(others).toEqual([])
    const policies = resourcesOf('AWS::IAM::Role').find(({ id }) => id === role)?.properties.Policies as Properties[]
    const moves = policies
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
      .filter(({ Action }) => [Action].flat().includes('lambda:UpdateAlias'))
    expect(moves.map(({ Action, Resource }) => [[Action].flat().toSorted(), readable(Resource)])).toEqual([
      [
        ['lambda:GetAlias', 'lambda:GetProvisionedConcurrencyConfig', 'lambda:UpdateAlias'],
        'arn:AWS::Partition:lambda:AWS::Region:AWS::AccountId:function:EntityWorkflow-dev-*',
      ],
    ])
  })

  it('is made by each deployment, because a version keeps the parameters of its time', () => {
    for (const name of answering) expect(functionNamed(name).properties.Environment.Variables.DEPLOYED_AT).toBe('never')
  })
})

describe('the address of the messenger', () => {
  const withCondition = resources.filter(({ id }) => template.Resources[id]?.Condition === 'MessengerIsDirect')

  it('exists when the operator chooses it, with its permissions and alarms', () => {
    expect(template.Conditions.MessengerIsDirect).toEqual({ 'Fn::Equals': [{ Ref: 'MessengerDirect' }, 'true'] })
    expect(withCondition.map(({ type }) => type).toSorted()).toEqual([
      'AWS::CloudWatch::Alarm',
      'AWS::CloudWatch::Alarm',
      'AWS::Lambda::Permission',
      'AWS::Lambda::Permission',
      'AWS::Lambda::Url',
    ])
    expect(
      withCondition
        .filter(({ type }) => type === 'AWS::CloudWatch::Alarm')
        .map(({ properties }) => [properties.MetricName, properties.Threshold]),
    ).toEqual([
      ['Url5xxCount', 5],
      ['ConcurrentExecutions', 40],
    ])
  })

  it('waits for the alias that it leads to, which it names by a word', () => {
    const { id, properties } = theOnly('AWS::Lambda::Url')
    const alias = aliases.find(
      ({ properties: { FunctionName } }) => target(FunctionName) === target(properties.TargetFunctionArn),
    )
    expect(properties.Qualifier).toBe('live')
    expect([(template.Resources[id] as Properties).DependsOn].flat()).toContain(alias?.id)
  })

  it('leads to one function with one route, and no other function has an address', () => {
    const { properties } = theOnly('AWS::Lambda::Url')
    const [reached] = deployedFunctions.filter(
      ({ name }) => functionNamed(name).id === target(properties.TargetFunctionArn),
    )
    expect(reached?.trigger).toMatchObject({ routes: [{ key: 'POST /api/messenger/webhook' }] })
    const open = resourcesOf('AWS::Lambda::Permission').filter(({ properties: { Principal } }) => Principal === '*')
    expect(new Set(open.map((permission) => target(permission.properties.FunctionName)))).toEqual(
      new Set(
        aliases
          .filter((alias) => target(alias.properties.FunctionName) === functionNamed(reached!.name).id)
          .map(({ id }) => id),
      ),
    )
  })
})
