package viz
import ("testing";"fmt";"math";"math/rand/v2";"os";"strings")
func demoMap(gps []int, cells int, mask func(i,j int) bool) BlockMap{
 r:=rand.New(rand.NewPCG(1,2)); T:=0; for _,g:=range gps{T+=g}; S:=T*cells
 v:=make([]float64,S*S)
 for i:=range S{for j:=range S{ bi,bj:=i/cells,j/cells; d:=math.Abs(float64(i%cells-j%cells))
  x:= -0.3*d -0.5*math.Abs(float64(bi-bj))-.5+.3*r.NormFloat64(); if bi!=bj {x-=1.5}
  if !mask(bi,bj){x=math.Inf(-1)}; v[i*S+j]=x }}
 return BlockMap{GPs:gps,M:64,Cells:cells,Log10:v}
}
func TestTry2(t *testing.T){
 star:=func(i,j int)bool{return i==j||i==j+3||j==i+3||i==6||j==6}
 var out strings.Builder
 for _,m:=range []BlockMap{demoMap([]int{3,3,1},16,star),demoMap([]int{1,1,1},20,func(i,j int)bool{return true}),demoMap([]int{8,8,1},8,func(i,j int)bool{return i==j||i%8==j%8||i==16||j==16})}{
 for _,st:=range []Style{{Mode:TrueColor,Dark:true},{Mode:ANSI256,Dark:true},{}}{
  for _,s:=range [][2]int{{58,16},{40,20},{90,36}}{ if st.Mode!=TrueColor&&s[0]==90{continue}; out.WriteString(m.Render(st,s[0],s[1])+"\n\n")}
 }}
 os.WriteFile("/tmp/map.txt",[]byte(out.String()),0o644)
 m:=demoMap([]int{3,3,1},16,star)
 os.WriteFile("/tmp/mapl.txt",[]byte(m.Render(Style{Mode:TrueColor},58,18)),0o644)
 fmt.Println(m.Render(Style{},60,18)); fmt.Println(m.Render(Style{ASCII:true},40,12)); fmt.Println(m.Render(Style{ASCII:true},20,8))
}
