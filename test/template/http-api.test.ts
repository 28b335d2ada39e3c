import { describe, expect, it } from 'vitest'
import { deployedFunctions, fallbackFunction } from '../../infra/catalogue/functions.ts'
import { compileRoutes } from '../../infra/local/gateway/http-routes.ts'
import { sharedPaths } from '../../shared/platform/http/routing/request-paths.ts'
import {
  behindAlias,
  functionNamed,
  type Properties,
  readable,
  resourcesOf,
  target,
  template,
  theOnly,
} from './synthesized.ts'

const contracts = deployedFunctions.flatMap(({ name, trigger }) =>
  trigger.kind === 'routes' ? trigger.routes.map(({ key }) => ({ key, name })) : [],
)

/** The function of each route key. */
const routes = new Map(
  resourcesOf('AWS::ApiGatewayV2::Route').map(({ properties }) => {
    const integrationId = readable(properties.Target).replace('integrations/', '')
    const integration = resourcesOf('AWS::ApiGatewayV2::Integration').find(({ id }) => id === integrationId)
    return [properties.RouteKey as string, behindAlias(integration?.properties.IntegrationUri)]
  }),
)

describe('the HTTP API', () => {
  it('routes each contract to the function that declares it', () => {
    const match = compileRoutes([...routes].map(([routeKey, to]) => ({ routeKey, target: to })))
    const found = contracts.map(({ key }) => {
      const [method, path] = key.replaceAll(/\{\w+\}/g, '7').split(' ') as [string, string]
      return [key, match(method, path)?.target]
    })
    expect(contracts.length).toBeGreaterThan(5)
    expect(found).toEqual(contracts.map(({ key, name }) => [key, functionNamed(name).id]))
  })

  it('has one default route, to the function that knows every address', () => {
    expect(routes.get('$default')).toBe(functionNamed(fallbackFunction).id)
    expect([...routes.keys()].filter((key) => !/^[A-Z]+ \/api\//.test(key)).toSorted()).toEqual(['$default', 'ANY /'])
  })

  it('routes single methods only where several functions serve a path, which then lists its methods', () => {
    const byMethod = [...routes.keys()].filter((key) => key !== '$default' && !key.startsWith('ANY '))
    expect(byMethod.map((key) => key.split(' ')[1])).toEqual(Object.keys(sharedPaths))
    for (const [path, methods] of Object.entries(sharedPaths))
      expect(contracts.filter(({ key }) => key.endsWith(` ${path}`)).map(({ key }) => key.split(' ')[0])).toEqual(
        methods,
      )
  })

  it('declares no route twice', () => {
    expect(new Set(contracts.map(({ key }) => key)).size).toBe(contracts.length)
  })

  it('uses one integration per function, and invokes what it needs to by one role', () => {
    const groups = new Set(contracts.map(({ name }) => name)).size
    expect(resourcesOf('AWS::ApiGatewayV2::Integration')).toHaveLength(groups)
    expect(
      resourcesOf('AWS::ApiGatewayV2::Integration').every(
        ({ properties }) => properties.PayloadFormatVersion === '2.0',
      ),
    ).toBe(true)
    const integrations = resourcesOf('AWS::ApiGatewayV2::Integration').map(({ properties }) => properties)
    const [role, ...others] = new Set(integrations.map(({ CredentialsArn }) => target(CredentialsArn)))
    expect(others).toEqual([])
    const policies = resourcesOf('AWS::IAM::Role').find(({ id }) => id === role)?.properties.Policies as Properties[]
    const [{ Effect, Action, Resource }, ...more] = policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    expect([Effect, Action, more]).toEqual(['Allow', 'lambda:InvokeFunction', []])
    expect(Resource.map(target).toSorted()).toEqual(
      integrations.map(({ IntegrationUri }) => target(IntegrationUri)).toSorted(),
    )
  })

  it('logs each request under its id and route without path, query, headers or body, and throttles', () => {
    const { AccessLogSettings, DefaultRouteSettings } = theOnly('AWS::ApiGatewayV2::Stage').properties
    expect(JSON.parse(AccessLogSettings.Format)).toMatchObject({
      request_id: '$context.requestId',
      route: '$context.routeKey',
      status: '$context.status',
    })
    expect(AccessLogSettings.Format).not.toMatch(/authorization|context\.path|querystring|header|body/i)
    expect(DefaultRouteSettings.ThrottlingRateLimit).toBeGreaterThan(0)
    expect(DefaultRouteSettings.ThrottlingBurstLimit).toBeGreaterThan(0)
  })

  it('allows CORS only for the configured origins', () => {
    const [condition, cors, otherwise] = theOnly('AWS::ApiGatewayV2::Api').properties.CorsConfiguration['Fn::If']
    expect(template.Conditions[condition]).toEqual({ 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'CorsOrigins' }, ''] }] })
    expect(cors.AllowOrigins).toEqual({ 'Fn::Split': [',', { Ref: 'CorsOrigins' }] })
    expect(cors.AllowHeaders).toEqual(expect.arrayContaining(['authorization', 'if-match', 'idempotency-key']))
    expect(cors.AllowCredentials).toBeUndefined()
    expect(otherwise).toEqual({ Ref: 'AWS::NoValue' })
  })
})
