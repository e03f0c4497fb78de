"""The official client calls every tool in both lifecycles; it checks answers against the schemas itself."""
import asyncio
import sys

from mcp import Client, ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

server = StdioServerParameters(command=sys.argv[1], args=["mcp"])


async def calls(call):
    read = await call("read", {"path": "service.log", "lines": "3:4"})
    assert not read.is_error and read.structured_content is None, read
    assert read.content[0].text.startswith("service.log | lines 3-4 of 500 | "), read
    found = await call("search", {"pattern": "ERROR", "path": "service.log", "max_count": 2})
    assert found.structured_content["files"][0]["matched_lines"] == 2, found
    stat = await call("stat", {"paths": ["service.log", "tiny.png"], "count": True})
    assert stat.structured_content["files"][0]["lines"] == 500, stat
    verified = await call("verify", {"path": "service.log", "anchors": ["3#d01fad"]})
    assert verified.structured_content["ok"] is True, verified
    image = await call("image", {"path": "tiny.png"})
    assert image.content[1].mime_type == "image/png", image
    refused = await call("read", {"path": "../Cargo.toml"})
    assert refused.is_error and "outside the directories" in refused.content[0].text, refused
    answers = await asyncio.gather(*(call("read", {"path": "service.log", "lines": n}) for n in range(1, 101)))
    assert all(f"lines {n}-{n} of" in answer.content[0].text for n, answer in enumerate(answers, 1))


async def main():
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        info = await session.initialize()
        assert info.server_info.name == "rread", info
        tools = await session.list_tools()
        # A build with SQL has the tool select too.
        names = [tool.name for tool in tools.tools if tool.name != "select"]
        assert names == ["read", "search", "stat", "verify", "image", "follow"], tools
        await calls(session.call_tool)
    async with Client(stdio_client(server)) as client:
        await calls(client.call_tool)
    print("all right")


asyncio.run(main())
