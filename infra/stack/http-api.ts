import { Aws, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway'
import {
  type CfnApi,
  HttpApi,
  HttpIntegrationType,
  HttpMethod,
  HttpRoute,
  HttpRouteIntegration,
  type HttpRouteIntegrationConfig,
  HttpRouteKey,
  HttpStage,
  IntegrationCredentials,
  LogGroupLogDestination,
  PayloadFormatVersion,
} from 'aws-cdk-lib/aws-apigatewayv2'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import type { RouteKey } from '../catalogue/route-keys.ts'
import type { ServiceFunction } from './service-function.ts'
import type { StackParameters } from './stack-parameters.ts'

/** Above this rate API Gateway answers 429 without invoking a function. */
const throttle = { rateLimit: 1000, burstLimit: 2000 }

/** The HTTP API: one integration per function. */
export class ServiceHttpApi extends Construct {
  readonly endpoint: string
  readonly http: HttpApi
  readonly #integrations = new Map<ServiceFunction, FunctionIntegration>()
  readonly #mayInvoke = new PolicyDocument()
  readonly #role: Role

  constructor(scope: Construct, id: string, { corsOrigins }: Pick<StackParameters, 'corsOrigins'>) {
    super(scope, id)
    this.http = new HttpApi(this, 'Http', { apiName: Stack.of(this).stackName, createDefaultStage: false })
    this.endpoint = this.http.apiEndpoint
    this.#role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      inlinePolicies: { invoke: this.#mayInvoke },
    })
    const accessLog = new LogGroup(this, 'AccessLog', {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    new HttpStage(this, 'Stage', {
      httpApi: this.http,
      stageName: '$default',
      autoDeploy: true,
      throttle,
      accessLogSettings: { destination: new LogGroupLogDestination(accessLog), format: accessLogFormat },
    })
    // An override, because the L2 property takes no condition.
    const resource = this.http.node.defaultChild as CfnApi
    resource.addPropertyOverride(
      'CorsConfiguration',
      Fn.conditionIf(corsOrigins.isSet.logicalId, corsFor(corsOrigins.list), Aws.NO_VALUE),
    )
  }

  addRoutes(routes: readonly RouteKey[], fn: ServiceFunction): void {
    for (const { path, method } of routes)
      this.http.addRoutes({ path, methods: [HttpMethod[method]], integration: this.#integrationOf(fn) })
  }

  /** Routes every other path to `fn`. */
  addFallback(fn: ServiceFunction): void {
    new HttpRoute(this, 'Default', {
      httpApi: this.http,
      routeKey: HttpRouteKey.DEFAULT,
      integration: this.#integrationOf(fn),
    })
  }

  #integrationOf(fn: ServiceFunction): FunctionIntegration {
    const known = this.#integrations.get(fn)
    if (known) return known
    const { targetArn } = fn.invoked
    this.#mayInvoke.addStatements(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [targetArn] }))
    const integration = new FunctionIntegration(fn.node.id, targetArn, this.#role)
    this.#integrations.set(fn, integration)
    return integration
  }
}

/**
 * Invokes a function by the role of the API: a permission at each function would be as many resources, of which a stack may
 * have 500.
 */
class FunctionIntegration extends HttpRouteIntegration {
  readonly #config: HttpRouteIntegrationConfig

  constructor(id: string, functionArn: string, role: Role) {
    super(id)
    this.#config = {
      type: HttpIntegrationType.AWS_PROXY,
      uri: functionArn,
      payloadFormatVersion: PayloadFormatVersion.VERSION_2_0,
      credentials: IntegrationCredentials.fromRole(role),
    }
  }

  override bind(): HttpRouteIntegrationConfig {
    return this.#config
  }
}

/** No credentials: the token is sent in `authorization`, never in a cookie. */
const corsFor = (origins: string[]): object => ({
  AllowOrigins: origins,
  AllowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  AllowHeaders: ['authorization', 'content-type', 'idempotency-key', 'if-match', 'if-none-match'],
  ExposeHeaders: ['etag', 'retry-after', 'x-batch-id', 'x-request-id'],
  MaxAge: 3600,
})

/** No path, query, headers or body: they may hold tokens and personal data. */
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    time: '$context.requestTime',
    request_id: '$context.requestId',
    route: '$context.routeKey',
    method: '$context.httpMethod',
    status: '$context.status',
    ms: '$context.responseLatency',
    bytes: '$context.responseLength',
    ip: '$context.identity.sourceIp',
    error: '$context.error.message',
    integration_error: '$context.integrationErrorMessage',
  }),
)
