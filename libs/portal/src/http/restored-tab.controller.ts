/**
 * A phone that restores a tab asks again for the address that a form was sent to. Such an address does nothing when it is looked at, and
 * leads to the page that the form is on.
 */
import { Controller, Get, Param, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Open } from '#libs/http-kit';
import { redirect } from './page-answer';
import { PageTroubleFilter } from './page-trouble.filter';

@ApiExcludeController()
@Controller()
@UseFilters(PageTroubleFilter)
@Open()
export class RestoredTabController {
  @Get('portal/link')
  link(@Res() response: Response): void {
    redirect(response, '/portal');
  }

  @Get('portal/account')
  account(@Res() response: Response): void {
    redirect(response, '/portal');
  }

  @Get('portal/leave')
  leave(@Res() response: Response): void {
    redirect(response, '/portal');
  }

  @Get('portal/payments/:id/send')
  send(@Param('id') id: string, @Res() response: Response): void {
    toPayment(response, id);
  }

  @Get('portal/payments/:id/take')
  take(@Param('id') id: string, @Res() response: Response): void {
    toPayment(response, id);
  }

  @Get('portal/payments/:id/identity')
  identity(@Param('id') id: string, @Res() response: Response): void {
    toPayment(response, id);
  }

  @Get('portal/payments/:id/identity/test/:outcome')
  endOfCheck(@Param('id') id: string, @Res() response: Response): void {
    toPayment(response, id);
  }

  @Get('onboarding/:token/test/:outcome')
  endOfOnboarding(@Param('token') token: string, @Res() response: Response): void {
    redirect(response, `/onboarding/${encodeURIComponent(token)}`);
  }

  @Get('claim/:token/link')
  claimLink(@Param('token') token: string, @Res() response: Response): void {
    redirect(response, `/claim/${encodeURIComponent(token)}`);
  }

  @Get('claim/:token/test')
  claimTest(@Param('token') token: string, @Res() response: Response): void {
    redirect(response, `/claim/${encodeURIComponent(token)}`);
  }
}

const toPayment = (response: Response, id: string): void =>
  redirect(response, `/portal/payments/${encodeURIComponent(id)}`);
