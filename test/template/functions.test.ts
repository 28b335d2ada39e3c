import { describe, expect, it } from 'vitest'
import type { DeployedFunction } from '../../infra/catalogue/deployed-function.ts'
import { deployedFunctions } from '../../infra/catalogue/functions.ts'
import { functionNamed, resourcesOf, stacks, target, template, theOnly } from './synthesized.ts'

describe('the functions', () => {
  it('are those of the catalogue', () => {
    expect(resourcesOf('AWS::Lambda::Function')).toHaveLength(deployedFunctions.length)
  })

  it.each(deployedFunctions)('$name has the size, the time and the environment of the catalogue', (entry) => {
    const { properties } = functionNamed(entry.name)
    expect(properties).toMatchObject({
      Description: entry.description,
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      MemorySize: entry.memoryMb,
      Timeout: entry.timeoutSeconds,
    })
    const always = [
      ...(entry.trigger.kind === 'routes' && !entry.isReplacedAtOnce ? ['DEPLOYED_AT'] : []),
      'SERVICE_VERSION',
      'POWERTOOLS_SERVICE_NAME',
      'POWERTOOLS_LOG_LEVEL',
      ...(entry.columnMemoryMb === undefined ? [] : ['COLUMN_MEMORY_MB']),
    ]
    expect(Object.keys(properties.Environment.Variables).toSorted()).toEqual(
      [...entry.environment, ...always].toSorted(),
    )
    expect(properties.ReservedConcurrentExecutions).toEqual(
      entry.functionUrl && {
        'Fn::If': ['MessengerIsDirect', entry.functionUrl.maxConcurrency, { Ref: 'AWS::NoValue' }],
      },
    )
  })

  it.each(deployedFunctions)(
    '$name logs JSON at the level of the parameter into the group of the service, which forgets',
    (entry) => {
      const { LoggingConfig, Environment } = functionNamed(entry.name).properties
      expect(LoggingConfig).toMatchObject({ LogFormat: 'JSON', ApplicationLogLevel: { Ref: 'LogLevel' } })
      // At INFO each invocation logs two lines of the platform.
      expect(LoggingConfig.SystemLogLevel).toBe('WARN')
      expect(Environment.Variables.POWERTOOLS_LOG_LEVEL).toEqual({ Ref: 'LogLevel' })
      const group = resourcesOf('AWS::Logs::LogGroup').find(({ id }) => id === target(LoggingConfig.LogGroup))
      expect(group).toMatchObject({ properties: { RetentionInDays: 30 }, deletionPolicy: 'Delete' })
    },
  )

  it('name the configuration set of mails unless the operator does without', () => {
    const set = theOnly('AWS::SES::ConfigurationSet')
    expect(set.properties).toEqual({ ReputationOptions: { ReputationMetricsEnabled: true } })
    for (const name of ['account-mailer', 'delivery-email', 'channels'])
      expect(functionNamed(name).properties.Environment.Variables.SES_CONFIGURATION_SET).toEqual({
        'Fn::If': ['SesConfigurationSetIsUsed', { Ref: set.id }, ''],
      })
  })

  it('may read the password at the mail server from a secret, which one function alone may read', () => {
    const named = resourcesOf('AWS::Lambda::Function').filter(
      ({ properties }) => 'MAIL_PASSWORD_SECRET' in properties.Environment.Variables,
    )
    expect(named.map(({ id }) => id)).toEqual([functionNamed('account-mailer').id])
    const { MAIL_PASSWORD_SECRET: arn } = functionNamed('account-mailer').properties.Environment.Variables
    expect(arn).toEqual({ Ref: 'MailPasswordSecret' })
    const role = resourcesOf('AWS::IAM::Role').find(
      ({ id }) => id === target(functionNamed('account-mailer').properties.Role),
    )
    const statement = role?.properties.Policies[0].PolicyDocument.Statement.find(
      ({ Action }: { Action: unknown }) => Action === 'secretsmanager:GetSecretValue',
    )
    expect(statement?.Resource['Fn::If'].slice(0, 2)).toEqual(['MailPasswordIsSecret', { Ref: 'MailPasswordSecret' }])
    const pattern = new RegExp(template.Parameters.MailPasswordSecret?.AllowedPattern, 'u')
    expect(pattern.test(`arn:aws:secretsmanager:eu-central-1:${'1'.repeat(12)}:secret:mail/desk-AbCdEf`)).toBe(true)
    expect(pattern.test('hunter2')).toBe(false)
    expect(JSON.stringify(stacks.service.Rules?.OneMailPassword)).toContain('not both')
  })

  it('send traces where the operator chose so, by one policy', () => {
    const policy = theOnly('AWS::IAM::ManagedPolicy')
    expect(policy.properties.PolicyDocument.Statement).toEqual([
      { Effect: 'Allow', Action: ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], Resource: '*' },
    ])
    expect(template.Resources[policy.id]?.Condition).toBe('TracingIsOn')
    expect(template.Conditions.TracingIsOn).toEqual({ 'Fn::Equals': [{ Ref: 'Tracing' }, 'on'] })
    for (const { properties } of resourcesOf('AWS::Lambda::Function')) {
      expect(properties.TracingConfig).toEqual({ Mode: { 'Fn::If': ['TracingIsOn', 'Active', 'PassThrough'] } })
      const role = resourcesOf('AWS::IAM::Role').find(({ id }) => id === target(properties.Role))
      expect(role?.properties.ManagedPolicyArns).toEqual([
        { 'Fn::If': ['TracingIsOn', { Ref: policy.id }, { Ref: 'AWS::NoValue' }] },
      ])
    }
  })

  it('time out before their caller does: HTTP API after 30 s, the sweeper before its next run', () => {
    const limit = ({ trigger }: DeployedFunction): number => {
      if (trigger.kind === 'routes') return 30
      return trigger.kind === 'schedule' && 'everyMinutes' in trigger ? 60 * trigger.everyMinutes : 900
    }
    expect(deployedFunctions.filter((entry) => entry.timeoutSeconds >= limit(entry))).toEqual([])
  })

  it('build links from the address of the API unless PublicUrl is set', () => {
    const { PUBLIC_URL: publicUrl } = functionNamed('auth').properties.Environment.Variables
    const api = resourcesOf('AWS::ApiGatewayV2::Api')[0]?.id
    expect(publicUrl).toEqual({
      'Fn::If': ['PublicUrlGiven', { Ref: 'PublicUrl' }, { 'Fn::GetAtt': [api, 'ApiEndpoint'] }],
    })
  })
})
