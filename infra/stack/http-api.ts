import { Aws, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway'
import {
  type CfnApi,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
  PayloadFormatVersion,
} from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
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
  readonly #integrations = new Map<ServiceFunction, HttpLambdaIntegration>()

  constructor(scope: Construct, id: string, { corsOrigins }: Pick<StackParameters, 'corsOrigins'>) {
    super(scope, id)
    this.http = new HttpApi(this, 'Http', { apiName: Stack.of(this).stackName, createDefaultStage: false })
    this.endpoint = this.http.apiEndpoint
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

  /** One permission per function: one per route would bring the stack near CloudFormation's limit of 500 resources. */
  #integrationOf(fn: ServiceFunction): HttpLambdaIntegration {
    const integration =
      this.#integrations.get(fn) ??
      new HttpLambdaIntegration(fn.node.id, fn, {
        scopePermissionToRoute: false,
        payloadFormatVersion: PayloadFormatVersion.VERSION_2_0,
      })
    this.#integrations.set(fn, integration)
    return integration
  }
}

/** No credentials: the token is sent in `authorization`, never in a cookie. */
const corsFor = (origins: string[]): object => ({
  AllowOrigins: origins,
  AllowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  AllowHeaders: ['authorization', 'content-type', 'idempotency-key', 'if-match', 'if-none-match'],
  ExposeHeaders: ['etag', 'retry-after', 'x-request-id'],
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
