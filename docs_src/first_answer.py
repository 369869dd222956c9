"""Ask a model once."""

from dure import ChatClient, open_model, run_sync

client = ChatClient(open_model(), system="Answer warehouse staff in one short Korean sentence.")
print(run_sync(client.prompt("안전재고가 뭐야?").text()))
