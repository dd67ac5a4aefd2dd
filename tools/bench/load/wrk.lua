-- Sends requests that were signed before: a file for each thread, each request after its length in eight digits.
-- Each thread has a target of its own. What wrk counted is told as one line of JSON.
local threads = {}

function setup(thread)
  table.insert(threads, thread)
  thread:set("part", #threads)
  local place = 0
  for port in os.getenv("BENCH_PORTS"):gmatch("%d+") do
    place = place + 1
    if place == #threads then thread.addr = wrk.lookup("127.0.0.1", port)[1] end
  end
end

local AFTER_THE_LAST = "GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
local cycle = os.getenv("BENCH_CYCLE") == "1"
local requests, position = "", 1
ranOut = 0

function init()
  local file = assert(io.open(os.getenv("BENCH_REQUESTS") .. "." .. part, "rb"))
  requests = file:read("*a")
  file:close()
end

function request()
  if position > #requests then
    if not cycle then
      ranOut = 1
      wrk.thread:stop()
      return AFTER_THE_LAST
    end
    position = 1
  end
  local from = position + 8
  position = from + tonumber(requests:sub(position, position + 7))
  return requests:sub(from, position - 1)
end

function done(summary, latency)
  local short = 0
  for _, thread in ipairs(threads) do short = short + thread:get("ranOut") end
  local errors = summary.errors
  io.write(string.format(
    'RESULT {"completed":%d,"seconds":%f,"p50":%f,"p99":%f,"ranOut":%s,'
      .. '"errors":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d}}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    tostring(short > 0), errors.connect, errors.read, errors.write, errors.status, errors.timeout))
end
