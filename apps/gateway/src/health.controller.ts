import { Controller, Get, Header, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Open } from '#libs/http-kit';
import { metricsRegistry } from '#libs/telemetry';
import { Readiness, type ReadinessReport } from './readiness';
import { Stopping } from './stopping';

const STOPPING = { status: 'not_ready', checks: { process: 'is stopping' } } as const;

@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly stopping: Stopping,
  ) {}

  @Get('health/live')
  @Open()
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  @Get('health/ready')
  @Open()
  ready(@Res({ passthrough: true }) response: Response): ReadinessReport | typeof STOPPING {
    if (this.stopping.begun) {
      response.status(503);
      return STOPPING;
    }
    const report = this.readiness.report();
    response.status(report.status === 'ready' ? 200 : 503);
    return report;
  }

  @Get('metrics')
  @Open()
  @Header('content-type', metricsRegistry.contentType)
  metrics(): Promise<string> {
    return metricsRegistry.metrics();
  }
}
