import type { VariationMessages } from './variations.en.ts'

export const messages: VariationMessages = {
  title: '其他版本',
  lead: '一个积分，{count} 个版本。选择相册要显示的一张。',
  one: '版本 {number}：{how}',
  best: '最佳',
  swapped: '左右互换',
  otherInFront: '另一人在前',
  closer: '更近',
  wider: '更远',
  mirrored: '镜像',
  adjusted: '已调整',
  other: '位置不同',
  making: '正在制作完整尺寸…',
  others: '显示更多版本',
  othersNote: '免费，仅一次',
  kept: '{time} 内可以更改。',
  deleteNow: '立即删除各部分',
  deleteOne: '删除版本 {number}',
  failed: '操作未成功，请重试。',
}
