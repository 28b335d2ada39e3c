/** The part of API Gateway's HTTP API event (payload format 2.0) that the service reads. */
export interface HttpEvent {
  readonly routeKey: string
  readonly rawPath: string
  readonly rawQueryString?: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly cookies?: readonly string[]
  readonly queryStringParameters?: Readonly<Record<string, string | undefined>>
  readonly pathParameters?: Readonly<Record<string, string | undefined>>
  readonly body?: string
  readonly isBase64Encoded?: boolean
  readonly requestContext: {
    readonly requestId: string
    readonly http: {
      readonly method: string
      readonly path: string
      readonly sourceIp: string
      readonly userAgent?: string
    }
  }
}

export interface HttpResult {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly isBase64Encoded?: true
  readonly cookies?: readonly string[]
}

export interface InvocationContext {
  readonly awsRequestId: string
  getRemainingTimeInMillis(): number
}
