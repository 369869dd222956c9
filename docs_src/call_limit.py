"""Limits on the calls of a run, which hold on when it goes on later."""

from dure import CallLimitAdvisor, ChatClient, RunContext, open_model, run_sync
from dure.errors import CallLimitExceeded
from dure.run import CallCounts

client = ChatClient(open_model(), advisors=(CallLimitAdvisor(max_model_calls=2),))

first = RunContext()
print(run_sync(client.prompt("1단계: 재고 요약").run(first).text()))
kept = first.counts.model_calls  # stored with the work

later = RunContext(counts=CallCounts(model_calls=kept))
print(run_sync(client.prompt("2단계: 발주 제안").run(later).text()))
try:
    run_sync(client.prompt("3단계: 보고서").run(later).text())
except CallLimitExceeded as error:
    print(error)
