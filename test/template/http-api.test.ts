import { describe, expect, it } from 'vitest'
import { deployedFunctions, fallbackFunction } from '../../infra/functions.ts'
import { functionNamed, readable, resourcesOf, target, template, theOnly } from './synthesized.ts'

const contracts = deployedFunctions.flatMap(({ name, trigger }) =>
  trigger.kind === 'routes' ? trigger.routes.map(({ key }) => ({ key, name })) : [],
)

/** The key that routes every method of a path. */
const anyOf = (key: string): string => key.replace(/^[A-Z]+/, 'ANY')

/** The function of each route key. */
const routes = new Map(
  resourcesOf('AWS::ApiGatewayV2::Route').map(({ properties }) => {
    const integrationId = readable(properties.Target).replace('integrations/', '')
    const integration = resourcesOf('AWS::ApiGatewayV2::Integration').find(({ id }) => id === integrationId)
    return [properties.RouteKey as string, target(integration?.properties.IntegrationUri)]
  }),
)

describe('the HTTP API', () => {
  it('routes each contract to the function that declares it', () => {
    expect(contracts.length).toBeGreaterThan(5)
    expect(contracts.map(({ key }) => [key, routes.get(key) ?? routes.get(anyOf(key))])).toEqual(
      contracts.map(({ key, name }) => [key, functionNamed(name).id]),
    )
  })

  it('has no route without a contract except the default route', () => {
    const declared = new Set(contracts.flatMap(({ key }) => [key, anyOf(key)]))
    expect([...routes.keys()].filter((key) => !declared.has(key))).toEqual(['$default'])
    expect(routes.get('$default')).toBe(functionNamed(fallbackFunction).id)
  })

  it('routes every method of a path at once only where one function serves them all', () => {
    const any = [...routes.keys()].filter((key) => key.startsWith('ANY '))
    expect(any.length).toBeGreaterThan(5)
    const owners = Map.groupBy(contracts, ({ key }) => anyOf(key))
    for (const key of any) expect(new Set(owners.get(key)?.map(({ name }) => name)).size).toBe(1)
    expect([...routes.keys()].filter((key) => /^(?!ANY )[A-Z]+ /.test(key) && routes.has(anyOf(key)))).toEqual([])
  })

  it('declares no route twice', () => {
    expect(new Set(contracts.map(({ key }) => key)).size).toBe(contracts.length)
  })

  it('uses one integration and one permission per function', () => {
    const groups = new Set(contracts.map(({ name }) => name)).size
    expect(resourcesOf('AWS::ApiGatewayV2::Integration')).toHaveLength(groups)
    expect(
      resourcesOf('AWS::ApiGatewayV2::Integration').every(
        ({ properties }) => properties.PayloadFormatVersion === '2.0',
      ),
    ).toBe(true)
    const permissions = resourcesOf('AWS::Lambda::Permission').filter(
      ({ properties }) => properties.Principal === 'apigateway.amazonaws.com',
    )
    expect(permissions).toHaveLength(groups)
  })

  it('logs each request under its id without query, headers or body, and throttles', () => {
    const { AccessLogSettings, DefaultRouteSettings } = theOnly('AWS::ApiGatewayV2::Stage').properties
    expect(JSON.parse(AccessLogSettings.Format)).toMatchObject({
      request_id: '$context.requestId',
      status: '$context.status',
    })
    expect(AccessLogSettings.Format).not.toMatch(/authorization|querystring|header|body/i)
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
