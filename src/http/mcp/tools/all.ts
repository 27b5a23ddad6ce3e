/** The tools, as they are listed: what comes first in use comes first here. */
import { auditSite, compareAudits, getAudit, listAudits } from './audits.ts';
import { explainCheck, getPageTool, listFindings, queryPages } from './findings.ts';
import { getFixTool, listTasks, shareReport, updateTask, verifyFix } from './tasks.ts';
import type { Tool } from './tool.ts';

export const TOOLS: readonly Tool[] = [
  auditSite,
  getAudit,
  listAudits,
  listFindings,
  queryPages,
  getPageTool,
  explainCheck,
  compareAudits,
  listTasks,
  updateTask,
  getFixTool,
  verifyFix,
  shareReport,
];
