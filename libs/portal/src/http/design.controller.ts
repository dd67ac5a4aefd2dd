/** Shows a developer the parts that pages are made of. In production there is no such page. */
import { Controller, Get, Inject, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Refusal } from '#libs/domain';
import { CONFIG, type Config } from '#libs/config';
import { type GatewayRequest, Open } from '#libs/http-kit';
import { designPage } from '../pages/design';
import { sendPage } from './page-answer';
import { PageTroubleFilter } from './page-trouble.filter';

@ApiExcludeController()
@Controller('dev/design')
@UseFilters(PageTroubleFilter)
@Open()
export class DesignController {
  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'production'>) {}

  @Get()
  show(@Req() request: GatewayRequest, @Res() response: Response): void {
    if (this.config.production) throw new Refusal('not_found', 'There is nothing at this path. See /docs.');
    sendPage(request, response, designPage);
  }
}
